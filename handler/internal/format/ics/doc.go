// Package ics reads calendars (iCalendar, RFC 5545) and contacts (vCard, RFC 6350): each event, task or person is a heading with its facts.
package ics
