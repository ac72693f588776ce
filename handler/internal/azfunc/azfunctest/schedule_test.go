package azfunctest

import (
	"testing"
	"time"
)

func TestSchedule(t *testing.T) {
	from := time.Date(2026, 11, 29, 18, 42, 30, 5, time.UTC) // a Sunday
	tests := []struct{ name, text, want string }{
		{"every_five_minutes", "0 */5 * * * *", "2026-11-29T18:45:00Z"},
		{"seconds_list", "10,40 * * * * *", "2026-11-29T18:42:40Z"},
		{"tomorrow", "0 30 9 * * *", "2026-11-30T09:30:00Z"},
		{"weekdays", "0 0 9 * * 1-5", "2026-11-30T09:00:00Z"},
		{"new_year", "0 0 0 1 1 *", "2027-01-01T00:00:00Z"},
		{"five_fields", "0 12 * * *", "2026-11-30T12:00:00Z"},
		{"time_span", "00:10:00", "2026-11-29T18:52:30Z"},
		{"leap_day", "0 0 0 29 2 *", "2028-02-29T00:00:00Z"},
		{"never", "0 0 0 31 2 *", "0001-01-01T00:00:00Z"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s, err := parseSchedule(test.text)
			if err != nil {
				t.Fatal(err)
			}
			if got := s.next(from).Truncate(time.Second).Format(time.RFC3339); got != test.want {
				t.Errorf("next(%s) = %s, want %s", test.text, got, test.want)
			}
		})
	}
	for _, text := range []string{"", "* * *", "60 * * * * *", "*/0 * * * * *", "0 0 0 * * MON", "5-1 * * * * *"} {
		if _, err := parseSchedule(text); err == nil {
			t.Errorf("parseSchedule(%q) took it", text)
		}
	}
}
