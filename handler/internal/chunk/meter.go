package chunk

import (
	"slices"
	"sort"
	"unicode/utf8"

	"decant/handler/internal/token"
)

// meter counts ranges of one text. It counts the whole text once, and notes the sum at places where a count may be divided
// (token.Splitter); a range then costs its two ends only.
type meter struct {
	text    string
	counter token.Counter
	split   token.Splitter // nil when the counter cannot be divided
	base    int            // what every text has: Count("")
	over    int            // more than any limit
	at      []int64        // places, in order
	sums    []int32        // tokens up to each place

	head, headTo, headSum int // the last beginning that was counted, up to a noted place: a chunk is measured each time it grows
}

const (
	step = 64 // bytes between noted places, where possible
	// maxTokenBytes is no less than the bytes of the longest token of the vocabularies that can be divided.
	maxTokenBytes = 128
)

func newMeter(text string, counter token.Counter, limit int) *meter {
	m := &meter{text: text, counter: counter, base: counter.Count(""), over: limit + 1}
	m.split, _ = counter.(token.Splitter)
	if m.split == nil {
		return m
	}
	m.at, m.sums = make([]int64, 1, len(text)/step+2), make([]int32, 1, len(text)/step+2)
	longest := max(1<<14, maxTokenBytes*m.over)
	last := 0
	for last < len(text) {
		next := m.place(last+step, last+longest)
		sum := m.over // nothing that reaches over this stretch fits anyway
		if next-last < longest || m.longWords() {
			sum = m.raw(text[last:next])
		}
		m.at = append(m.at, int64(next))
		m.sums = append(m.sums, m.sums[len(m.sums)-1]+int32(sum))
		last = next
	}
	return m
}

// longWords tells whether a token may be of any length.
func (m *meter) longWords() bool { return m.counter.Name() == "words" }

// place finds the first place from at on where the count may be divided; it looks no further than limit.
func (m *meter) place(at, limit int) int {
	for ; at < len(m.text); at++ {
		if at >= limit && utf8.RuneStart(m.text[at]) && !m.longWords() {
			return at
		}
		if utf8.RuneStart(m.text[at]) && m.split.Additive(m.text, at) {
			return at
		}
	}
	return len(m.text)
}

func (m *meter) raw(s string) int { return m.counter.Count(s) - m.base }

// count is the number of tokens of a range, without what the model puts around a text. Ranges far over the limit count as over.
func (m *meter) count(from, to int) int {
	if m.split == nil || to-from < 2*step {
		return m.raw(m.text[from:to])
	}
	i := m.search(from)
	j := m.search(to+1) - 1
	if j <= i {
		if to-from > maxTokenBytes*m.over && !m.longWords() {
			return m.over
		}
		return m.raw(m.text[from:to])
	}
	n := int(m.sums[j] - m.sums[i])
	if n >= m.over {
		return n
	}
	return n + m.beginning(from, int(m.at[i])) + m.raw(m.text[int(m.at[j]):to])
}

func (m *meter) beginning(from, to int) int {
	if m.head != from || m.headTo != to {
		m.head, m.headTo, m.headSum = from, to, m.raw(m.text[from:to])
	}
	return m.headSum
}

// search is the index of the first noted place at or behind a byte.
func (m *meter) search(at int) int {
	i, _ := slices.BinarySearch(m.at, int64(at))
	return i
}

// reach is about where a text from a place on has a number of tokens.
func (m *meter) reach(from, tokens int) int {
	if m.split == nil {
		return from + 4*tokens
	}
	i := m.search(from)
	if i >= len(m.at) || int(m.at[i])-from > 4*step {
		return from + 3*tokens
	}
	j := i + sort.Search(len(m.at)-i, func(k int) bool { return int(m.sums[i+k]-m.sums[i]) > tokens })
	at := int(m.at[j-1])
	if j < len(m.at) && int(m.at[j])-at > 4*step { // a long stretch that was not counted in parts
		return max(from, at) + 3*tokens
	}
	if j < len(m.at) && m.sums[j] > m.sums[j-1] { // between two places
		at += (int(m.at[j]) - at) * (tokens - int(m.sums[j-1]-m.sums[i])) / int(m.sums[j]-m.sums[j-1])
	}
	return at - (int(m.at[i]) - from)
}

// joined is the number of tokens of prefix + range + suffix, and of what the model puts around a text.
func (m *meter) joined(prefix string, prefixTokens, from, to int, suffix string) int {
	if m.split == nil {
		return m.counter.Count(prefix + m.text[from:to] + suffix)
	}
	n := m.base
	if prefix != "" {
		head := prefix[max(0, len(prefix)-8):] + m.text[from:min(to, from+64)]
		if !m.split.Additive(head, min(8, len(prefix))) {
			return m.counter.Count(prefix + m.text[from:to] + suffix)
		}
		n += prefixTokens
	}
	if suffix == "" {
		return n + m.count(from, to)
	}
	cut := m.lastPlace(from, to)
	return n + m.count(from, cut) + m.raw(m.text[cut:to]+suffix)
}

// lastPlace is the last noted place in a range, so that what comes behind it can be counted together with a suffix.
func (m *meter) lastPlace(from, to int) int {
	j := m.search(to) - 1
	for ; j >= 0 && int(m.at[j]) > from; j-- {
		if at := int(m.at[j]); m.split.Additive(m.text, at) && to-at > 8 {
			return at
		}
	}
	return from
}
