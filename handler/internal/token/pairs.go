package token

import "unicode/utf8"

// pairs is byte-pair encoding by a list of merges of tokens, as in tokenizer.json.
type pairs struct {
	vocab          map[string]int32
	merges         map[[2]int32]merged
	file           modelFile
	prefix, suffix string
	symbols        []symbol
	heap           []candidate
}

// merged is what a pair becomes, and its place in the list of merges.
type merged struct{ rank, id int32 }

// unknownID stands for a character that has no token.
const unknownID = -1

func readPairs(f *modelFile) (model, error) {
	vocab, err := f.words()
	if err != nil {
		return nil, err
	}
	list, err := readMerges(f.Merges)
	if err != nil {
		return nil, err
	}
	m := &pairs{vocab: vocab, merges: make(map[[2]int32]merged, len(list)), file: *f}
	if f.Prefix != nil {
		m.prefix = *f.Prefix
	}
	if f.Suffix != nil {
		m.suffix = *f.Suffix
	}
	for rank, pair := range list {
		second := pair[1]
		if m.prefix != "" && len(second) >= len(m.prefix) && second[:len(m.prefix)] == m.prefix {
			second = second[len(m.prefix):]
		}
		a, okA := vocab[pair[0]]
		b, okB := vocab[pair[1]]
		c, okC := vocab[pair[0]+second]
		if okA && okB && okC {
			m.merges[[2]int32{a, b}] = merged{int32(rank), c}
		}
	}
	m.file.Vocab, m.file.Merges = nil, nil
	return m, nil
}

// symbol is a token in a list; next is the index of the one after it, -1 at the end.
type symbol struct {
	prev, next int32
	id         int32
	rank       int32 // of the merge with the next one, -1 for none
}

func (m *pairs) count(word string) int {
	if m.file.IgnoreMerges {
		if _, ok := m.vocab[word]; ok {
			return 1
		}
	}
	m.spell(word)
	n := len(m.symbols)
	h := m.heap[:0]
	for i := range m.symbols {
		h = m.rankAt(h, int32(i))
	}
	for len(h) > 0 {
		top := h[0]
		h[0] = h[len(h)-1]
		h = h[:len(h)-1]
		sink(h, 0)
		s := &m.symbols[top.start]
		if s.rank != int32(top.rank) {
			continue
		}
		gone := &m.symbols[s.next]
		s.id = m.merges[[2]int32{s.id, gone.id}].id
		gone.rank = -1
		if s.next = gone.next; s.next >= 0 {
			m.symbols[s.next].prev = top.start
		}
		n--
		h = m.rankAt(h, top.start)
		if s.prev >= 0 {
			h = m.rankAt(h, s.prev)
		}
	}
	m.heap = h
	return n
}

// rankAt looks up the merge of the pair at i and puts it on the heap.
func (m *pairs) rankAt(h []candidate, i int32) []candidate {
	s := &m.symbols[i]
	s.rank = -1
	if s.next < 0 {
		return h
	}
	found, ok := m.merges[[2]int32{s.id, m.symbols[s.next].id}]
	if !ok {
		return h
	}
	s.rank = found.rank
	h = append(h, candidate{uint32(found.rank), i})
	for c := len(h) - 1; c > 0; {
		parent := (c - 1) / 2
		if !less(h[c], h[parent]) {
			break
		}
		h[c], h[parent] = h[parent], h[c]
		c = parent
	}
	return h
}

// spell writes a word as its characters' tokens.
func (m *pairs) spell(word string) {
	m.symbols = m.symbols[:0]
	for i := 0; i < len(word); {
		_, size := utf8.DecodeRuneInString(word[i:])
		char := word[i : i+size]
		spelled := char
		if i > 0 {
			spelled = m.prefix + char
		}
		i += size
		if i == len(word) {
			spelled += m.suffix
		}
		if id, ok := m.vocab[spelled]; ok {
			m.append(id)
			continue
		}
		if m.file.ByteFallback && m.appendBytes(char) {
			continue
		}
		if m.file.Unknown == "" {
			continue // a model without an unknown token drops what it does not know
		}
		if last := len(m.symbols) - 1; m.file.FuseUnknown && last >= 0 && m.symbols[last].id == unknownID {
			continue
		}
		m.append(unknownID)
	}
}

func (m *pairs) appendBytes(char string) bool {
	for i := 0; i < len(char); i++ {
		if _, ok := m.vocab[byteToken(char[i])]; !ok {
			return false
		}
	}
	for i := 0; i < len(char); i++ {
		m.append(m.vocab[byteToken(char[i])])
	}
	return true
}

func (m *pairs) append(id int32) {
	n := int32(len(m.symbols))
	if n > 0 {
		m.symbols[n-1].next = n
	}
	m.symbols = append(m.symbols, symbol{prev: n - 1, next: -1, id: id, rank: -1})
}
