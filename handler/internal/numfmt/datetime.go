package numfmt

import (
	"fmt"
	"math"
	"strings"
	"time"
)

// maxSerial is 9999-12-31, the last day that a spreadsheet knows.
const maxSerial = 2958466

// dateTime shows a serial number by a date section.
func (s *section) dateTime(v float64, raw string, epoch1904 bool) Shown {
	if s.kind == Duration {
		return s.duration(v)
	}
	if !finite(v) || v < 0 || v >= maxSerial {
		return Shown{Text: General(v, raw)} // Excel shows ####
	}
	m := momentOf(v, s.secondDecimals(), epoch1904)
	if s.kind == Time {
		return Shown{Text: strings.TrimSpace(s.parts(m)), Kind: Time, ISO: m.clock(true)}
	}
	shown := Shown{Text: s.isoDate(m), Kind: Date, ISO: m.iso()}
	if v < 1 && !epoch1904 { // day zero is no day
		shown.ISO = ""
		if m.seconds > 0 {
			shown.Text, shown.ISO, shown.Kind = m.clock(m.hasSeconds()), m.clock(true), Time
		}
	}
	return shown
}

// moment is a serial number taken apart.
type moment struct {
	year, month, day int
	weekday          time.Weekday
	seconds          int     // of the day
	fraction         float64 // of a second
	decimals         int     // shown of the fraction
	hasTime          bool
}

// momentOf takes a serial number apart, rounding to the seconds' decimals as Excel does.
func momentOf(v float64, decimals int, epoch1904 bool) moment {
	unit := math.Pow10(decimals)
	ticks := math.Round(v * 86400 * unit)
	days := math.Floor(ticks / (86400 * unit))
	ticks -= days * 86400 * unit
	m := moment{seconds: int(ticks / unit), decimals: decimals}
	m.fraction = math.Mod(ticks, unit) / unit
	m.hasTime = m.seconds > 0 || m.fraction > 0
	m.setDay(int(days), epoch1904)
	return m
}

// setDay finds the calendar day of a serial day. The 1900 system counts a 29 February 1900 that never was (ECMA-376 part 1, 18.17.4.1):
// day 60 is shown as that, and the days before it are one later than a plain count from 1899-12-30.
func (m *moment) setDay(days int, epoch1904 bool) {
	if !epoch1904 && days == 60 {
		m.year, m.month, m.day, m.weekday = 1900, 2, 29, time.Wednesday
		return
	}
	if !epoch1904 && days == 0 {
		m.year, m.month, m.day, m.weekday = 1900, 1, 0, time.Saturday
		return
	}
	base := time.Date(1899, 12, 30, 0, 0, 0, 0, time.UTC)
	switch {
	case epoch1904:
		base = time.Date(1904, 1, 1, 0, 0, 0, 0, time.UTC)
	case days < 60:
		base = base.AddDate(0, 0, 1)
	}
	t := base.AddDate(0, 0, days)
	m.year, m.month, m.day, m.weekday = t.Year(), int(t.Month()), t.Day(), t.Weekday()
}

func (m moment) date() string { return fmt.Sprintf("%04d-%02d-%02d", m.year, m.month, m.day) }

func (m moment) hasSeconds() bool { return m.seconds%60 != 0 || m.fraction > 0 }

func (m moment) clock(withSeconds bool) string {
	text := fmt.Sprintf("%02d:%02d", m.seconds/3600, m.seconds/60%60)
	if withSeconds {
		text += fmt.Sprintf(":%02d", m.seconds%60)
		if m.decimals > 0 && m.fraction > 0 {
			text += fmt.Sprintf("%.*f", m.decimals, m.fraction)[1:]
		}
	}
	return text
}

// iso is the whole moment: a date, with its time when it has one.
func (m moment) iso() string {
	if m.year == 1900 && m.month == 2 && m.day == 29 {
		return "" // no such day
	}
	if !m.hasTime {
		return m.date()
	}
	return m.date() + "T" + m.clock(true)
}

// isoDate shows a date as ISO 8601, as exactly as the format does: a format of year and month gives 2024-03.
// A format that shows no year and no day of the month (a weekday, a month's name) is shown as it is.
func (s *section) isoDate(m moment) string {
	year, day := s.hasPart("ye"), s.hasDay()
	switch {
	case !year && (s.kind == Date && !s.hasDay() || !s.hasMonth()):
		return strings.TrimSpace(s.parts(m))
	case year && !day && s.hasMonth():
		return fmt.Sprintf("%04d-%02d", m.year, m.month)
	case year && !day && !s.hasPart("hns"):
		return fmt.Sprintf("%04d", m.year)
	case s.hasPart("hns"):
		return m.date() + " " + m.clock(s.hasPart("s") && m.hasSeconds())
	}
	return m.date()
}

func (s *section) hasMonth() bool { return s.hasPart("m") }

// hasDay tells whether the day of the month is shown; ddd and dddd are names of weekdays.
func (s *section) hasDay() bool {
	for _, t := range s.tokens {
		if t.kind == datePart && (t.text == "d" || t.text == "dd") {
			return true
		}
	}
	return false
}

func (s *section) secondDecimals() int {
	for _, t := range s.tokens {
		if t.kind == datePart && t.text[0] == '.' {
			return min(len(t.text)-1, 3)
		}
	}
	return 0
}
