package pipeline

import (
	"slices"

	"decant/handler/internal/job"
)

// unread are the documents inside a document that have no results.
type unread struct {
	named []Unread
	count int
}

// failedMember is the class of the warning that counts them.
const failedMember = "attachment_failed"

// add takes in a member and, when it was read itself, what could not be read inside it.
func (u *unread) add(path string, m Member, inside unread) {
	if m.Fault != "" {
		inside = unread{named: []Unread{{Path: path, Fault: m.Fault, Message: m.Message}}, count: 1}
	}
	u.count += inside.count
	u.named = append(u.named, inside.named[:min(len(inside.named), maxUnread-len(u.named))]...)
}

// unreadOf is what a manifest says of them.
func unreadOf(m Manifest) unread {
	u := unread{named: m.Unread, count: len(m.Unread)}
	for _, w := range m.Warnings {
		if w.Class == failedMember {
			u.count = max(u.count, w.Count)
		}
	}
	return u
}

// warned gives the warnings with the count of members that could not be read, at whatever depth.
func (u *unread) warned(warnings []job.Warning) []job.Warning {
	if u.count == 0 {
		return warnings
	}
	warnings = slices.Clone(warnings)
	for i := range warnings {
		if warnings[i].Class == failedMember {
			warnings[i].Count = max(warnings[i].Count, u.count)
			return warnings
		}
	}
	return append(warnings, job.Warning{Class: failedMember, Count: u.count})
}
