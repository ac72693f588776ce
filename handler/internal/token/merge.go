package token

// merger finds how many tokens byte-pair encoding makes of a piece. Its memory is used again.
type merger struct {
	nodes []node
	heap  []candidate
	short []part
}

// part is a border between parts of a short piece, and the rank of the token that this part and the next one would make.
type part struct {
	start int32
	rank  uint32
}

// longPiece is the length in bytes from which a heap is faster than looking through all parts for each merge.
const longPiece = 100

func (m *merger) count(piece string, rank func(string) uint32) int {
	if len(piece) >= longPiece {
		return m.countLong(piece, rank)
	}
	parts := m.short[:0]
	for i := range len(piece) {
		r := uint32(noRank)
		if i+1 < len(piece) {
			r = rank(piece[i : i+2])
		}
		parts = append(parts, part{int32(i), r})
	}
	parts = append(parts, part{int32(len(piece)), noRank})
	m.short = parts
	rankAt := func(i int) uint32 { // of parts i and i+1 together
		if i+2 >= len(parts) {
			return noRank
		}
		return rank(piece[parts[i].start:parts[i+2].start])
	}
	for {
		best, at := uint32(noRank), -1
		for i := range parts[:len(parts)-1] {
			if parts[i].rank < best {
				best, at = parts[i].rank, i
			}
		}
		if at < 0 {
			return len(parts) - 1
		}
		parts = append(parts[:at+1], parts[at+2:]...)
		parts[at].rank = rankAt(at)
		if at > 0 {
			parts[at-1].rank = rankAt(at - 1)
		}
	}
}

// node is a part of a long piece in a list; rank is that of the token which it and the next part would make.
type node struct {
	prev, next int32
	rank       uint32
}

type candidate struct {
	rank  uint32
	start int32
}

// countLong merges with a heap: n log n, so that a "word" of megabytes does not take hours.
func (m *merger) countLong(piece string, rank func(string) uint32) int {
	n := int32(len(piece))
	if cap(m.nodes) < len(piece)+1 {
		m.nodes = make([]node, len(piece)+1)
	}
	nodes := m.nodes[:n+1]
	h := m.heap[:0]
	for i := range nodes {
		nodes[i] = node{int32(i) - 1, int32(i) + 1, noRank}
		if int32(i)+2 <= n {
			if r := rank(piece[i : i+2]); r != noRank {
				nodes[i].rank = r
				h = append(h, candidate{r, int32(i)})
			}
		}
	}
	for i := len(h)/2 - 1; i >= 0; i-- {
		sink(h, i)
	}
	count := int(n)
	for len(h) > 0 {
		top := h[0]
		h[0] = h[len(h)-1]
		h = h[:len(h)-1]
		sink(h, 0)
		i := top.start
		if nodes[i].rank != top.rank {
			continue // out of date
		}
		gone := nodes[i].next
		after := nodes[gone].next
		nodes[gone].rank = noRank
		nodes[i].next = after
		nodes[after].prev = i
		count--
		h = m.renew(h, nodes, i, piece, rank)
		if before := nodes[i].prev; before >= 0 {
			h = m.renew(h, nodes, before, piece, rank)
		}
	}
	m.heap = h
	if cap(m.nodes) > 1<<20 { // do not keep what one monster needed
		m.nodes, m.heap = nil, nil
	}
	return count
}

// renew ranks the pair that starts at i again.
func (m *merger) renew(h []candidate, nodes []node, i int32, piece string, rank func(string) uint32) []candidate {
	nodes[i].rank = noRank
	next := nodes[i].next
	if int(next) >= len(piece) {
		return h
	}
	end := nodes[next].next
	if end-i > maxToken {
		return h
	}
	r := rank(piece[i:end])
	if r == noRank {
		return h
	}
	nodes[i].rank = r
	h = append(h, candidate{r, i})
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

// maxToken is more than the length of the longest token of any vocabulary here, in bytes.
const maxToken = 1024

func less(a, b candidate) bool {
	return a.rank < b.rank || a.rank == b.rank && a.start < b.start
}

func sink(h []candidate, i int) {
	for {
		child := 2*i + 1
		if child >= len(h) {
			return
		}
		if child+1 < len(h) && less(h[child+1], h[child]) {
			child++
		}
		if !less(h[child], h[i]) {
			return
		}
		h[i], h[child] = h[child], h[i]
		i = child
	}
}
