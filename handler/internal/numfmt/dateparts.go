package numfmt

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// parts writes a moment by the section's date parts.
func (s *section) parts(m moment) string {
	twelve := s.hasText("am/pm") || s.hasText("a/p")
	var b strings.Builder
	for _, t := range s.tokens {
		switch t.kind {
		case literal:
			b.WriteString(t.text)
		case slash:
			b.WriteByte('/')
		case point:
			b.WriteByte('.')
		case group:
			b.WriteByte(',')
		case datePart:
			b.WriteString(m.part(t.text, twelve))
		}
	}
	return b.String()
}

func (s *section) hasText(text string) bool {
	for _, t := range s.tokens {
		if t.kind == datePart && t.text == text {
			return true
		}
	}
	return false
}

// part writes one date part.
func (m moment) part(code string, twelve bool) string {
	hour, minute, second := m.seconds/3600, m.seconds/60%60, m.seconds%60
	switch code[0] {
	case 'y', 'e':
		if len(code) <= 2 && code[0] == 'y' {
			return fmt.Sprintf("%02d", m.year%100)
		}
		return fmt.Sprintf("%04d", m.year)
	case 'm':
		return monthPart(time.Month(m.month), len(code))
	case 'd':
		return m.dayPart(len(code))
	case 'h':
		if twelve {
			hour = (hour+11)%12 + 1
		}
		return padded(hour, len(code))
	case 'n':
		return padded(minute, len(code))
	case 's':
		return padded(second, len(code))
	case '.':
		return fmt.Sprintf("%.*f", min(len(code)-1, 3), m.fraction)[1:]
	case 'a':
		half := [2]string{"AM", "PM"}[hour/12]
		return half[:min(len(half), len(code)/2)]
	}
	return ""
}

func monthPart(month time.Month, size int) string {
	switch size {
	case 1, 2:
		return padded(int(month), size)
	case 3:
		return month.String()[:3]
	case 5:
		return month.String()[:1]
	}
	return month.String()
}

func (m moment) dayPart(size int) string {
	switch size {
	case 1, 2:
		return padded(m.day, size)
	case 3:
		return m.weekday.String()[:3]
	}
	return m.weekday.String()
}

func padded(n, size int) string {
	if size >= 2 {
		return fmt.Sprintf("%02d", n)
	}
	return strconv.Itoa(n)
}

// duration writes elapsed time: [h]:mm:ss, [mm]:ss, [s].00.
func (s *section) duration(v float64) Shown {
	decimals := s.secondDecimals()
	unit := math.Pow10(decimals)
	ticks := math.Round(math.Abs(v) * 86400 * unit)
	if !finite(v) || ticks > 1e15 {
		return Shown{Text: General(v, ""), Kind: Duration}
	}
	total := int64(ticks / unit)
	m := moment{seconds: int(total % 86400), fraction: math.Mod(ticks, unit) / unit, decimals: decimals}
	var b strings.Builder
	if v < 0 && ticks > 0 {
		b.WriteByte('-')
	}
	for _, t := range s.tokens {
		switch {
		case t.kind == datePart && t.text[0] == '[':
			b.WriteString(elapsed(t.text, total))
		case t.kind == datePart:
			b.WriteString(m.part(t.text, false))
		case t.kind == literal:
			b.WriteString(t.text)
		case t.kind == point:
			b.WriteByte('.')
		}
	}
	return Shown{Text: strings.TrimSpace(b.String()), Kind: Duration, ISO: isoDuration(v < 0, total, m.fraction, decimals)}
}

// elapsed writes [h], [m] or [s]: all hours, minutes or seconds, padded to the letters' number.
func elapsed(code string, total int64) string {
	divisor := map[byte]int64{'h': 3600, 'm': 60, 'n': 60, 's': 1}[code[1]]
	return fmt.Sprintf("%0*d", len(code)-2, total/divisor)
}

func isoDuration(negative bool, total int64, fraction float64, decimals int) string {
	var b strings.Builder
	if negative {
		b.WriteByte('-')
	}
	b.WriteString("PT")
	if h := total / 3600; h > 0 {
		fmt.Fprintf(&b, "%dH", h)
	}
	if m := total / 60 % 60; m > 0 {
		fmt.Fprintf(&b, "%dM", m)
	}
	seconds := strconv.FormatInt(total%60, 10)
	if fraction > 0 {
		seconds += fmt.Sprintf("%.*f", decimals, fraction)[1:]
	}
	if seconds != "0" || total == 0 {
		b.WriteString(seconds + "S")
	}
	return b.String()
}
