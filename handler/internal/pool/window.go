package pool

import (
	"slices"
	"sync"
	"time"
)

// windowSeconds is the longest span of utilisation.
const windowSeconds = 15 * 60

// usage adds up slot-seconds in a ring of seconds: exact, and as cheap as a counter.
type usage struct {
	mu      sync.Mutex
	now     func() time.Time
	slots   int
	running int
	since   time.Time // up to where the ring is filled in
	start   time.Time
	ring    [windowSeconds]float64 // busy slot-seconds in each second
}

func newUsage(slots int, now func() time.Time) *usage {
	t := now()
	return &usage{now: now, slots: slots, since: t, start: t}
}

// set notes that so many slots are busy from now on.
func (u *usage) set(running int) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.advance()
	u.running = running
}

// advance fills the ring in up to now. The lock is held.
func (u *usage) advance() {
	now := u.now()
	if now.Sub(u.since) > windowSeconds*time.Second {
		u.since = now.Add(-windowSeconds * time.Second)
	}
	for u.since.Before(now) {
		second := u.since.Truncate(time.Second)
		if u.since.Equal(second) {
			u.ring[second.Unix()%windowSeconds] = 0
		}
		end := second.Add(time.Second)
		if end.After(now) {
			end = now
		}
		u.ring[second.Unix()%windowSeconds] += end.Sub(u.since).Seconds() * float64(u.running)
		u.since = end
	}
}

// share is the part of all slots that was busy over the last span, 0 to 1; before that much time has passed, since the start.
func (u *usage) share(span time.Duration) float64 {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.advance()
	seconds := int(min(span, u.since.Sub(u.start)) / time.Second)
	seconds = min(max(seconds, 1), windowSeconds)
	var busy float64
	last := u.since.Add(-1).Unix()
	for i := range seconds {
		busy += u.ring[((last-int64(i))%windowSeconds+windowSeconds)%windowSeconds]
	}
	return min(1, busy/float64(seconds*u.slots))
}

// sampleSize is how many values a quantile looks back.
const sampleSize = 1024

// sample keeps the last values, for exact quantiles over them.
type sample struct {
	values []float64
	next   int
	count  int64
}

func (s *sample) add(v float64) {
	s.count++
	if len(s.values) < sampleSize {
		s.values = append(s.values, v)
		return
	}
	s.values[s.next] = v
	s.next = (s.next + 1) % sampleSize
}

// Quantiles are those of the last 1,024 values, by the nearest rank.
type Quantiles struct {
	Count int64   `json:"count"` // of all values, not only of the last
	P50   float64 `json:"p50"`
	P95   float64 `json:"p95"`
	P99   float64 `json:"p99"`
	Max   float64 `json:"max"`
}

func (s *sample) quantiles() Quantiles {
	if len(s.values) == 0 {
		return Quantiles{}
	}
	sorted := slices.Sorted(slices.Values(s.values))
	at := func(percent int) float64 {
		rank := (len(sorted)*percent + 99) / 100
		return sorted[max(rank, 1)-1]
	}
	return Quantiles{Count: s.count, P50: at(50), P95: at(95), P99: at(99), Max: sorted[len(sorted)-1]}
}
