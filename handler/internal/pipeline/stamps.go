package pipeline

import (
	"cmp"
	"hash/maphash"
	"iter"
	"slices"
	"sort"
	"strings"

	"decant/handler/internal/ledger"
)

// known is what is stored of a document's chunks, without their texts: some sixty bytes for each, for large documents have a million.
type known struct {
	seed   maphash.Seed
	prefix string // of nearly all ids: the document's
	ids    []byte // without the prefix, one behind the other
	list   []knownChunk
}

// knownChunk is one of them. Its hashes stand for texts.
type knownChunk struct {
	key, text, place uint64
	from             uint32 // of its id in ids
	index            int32
	size             uint16
	whole            bool // the id does not begin with the prefix
	seen             bool // it is among the new chunks
}

// readKnown takes in what a store tells.
func readKnown(prefix string, stamps iter.Seq2[ledger.Chunk, error]) (*known, error) {
	k := &known{seed: maphash.MakeSeed(), prefix: prefix}
	for c, err := range stamps {
		if err != nil {
			return nil, err
		}
		rest, ok := strings.CutPrefix(c.ID, prefix)
		k.list = append(k.list, knownChunk{
			key: k.hash(c.ID), text: k.hash(c.Stamp.Text), place: k.hash(c.Stamp.Place), index: int32(c.Stamp.Index),
			from: uint32(len(k.ids)), size: uint16(len(rest)), whole: !ok,
		})
		k.ids = append(k.ids, rest...)
	}
	slices.SortFunc(k.list, func(a, b knownChunk) int { return cmp.Compare(a.key, b.key) })
	return k, nil
}

func (k *known) hash(text string) uint64 { return maphash.String(k.seed, text) }

func (k *known) id(c *knownChunk) string {
	id := string(k.ids[c.from : c.from+uint32(c.size)])
	if c.whole {
		return id
	}
	return k.prefix + id
}

// none is find's answer for a chunk that is new.
const none = -1

// find gives the index of a chunk in list.
func (k *known) find(id string) int {
	key := k.hash(id)
	for i := sort.Search(len(k.list), func(i int) bool { return k.list[i].key >= key }); i < len(k.list) && k.list[i].key == key; i++ {
		if k.id(&k.list[i]) == id {
			return i
		}
	}
	return none
}

// difference says what a new chunk is to the stored one.
type difference int

const (
	same    difference = iota
	moved              // the same text in another place
	changed            // another text under the same id
	added
)

// compare tells what c is to what is stored, and where that is in list.
func (k *known) compare(c *ledger.Chunk) (difference, int) {
	at := k.find(c.ID)
	switch {
	case at == none:
		return added, at
	case k.list[at].text != k.hash(c.Stamp.Text):
		return changed, at
	case k.list[at].place != k.hash(c.Stamp.Place):
		return moved, at
	}
	return same, at
}

// removed lists the ids that are not among the new chunks.
func (k *known) removed() []string {
	var list []string
	for i := range k.list {
		if c := &k.list[i]; !c.seen {
			list = append(list, k.id(c))
		}
	}
	return list
}

// rewrites counts the chunks that took another's place: the same number removed and added after the same chunk that stayed. after
// are the new chunks in their order, as indexes in list.
func (k *known) rewrites(after []int32) (n int) {
	order := make([]int32, len(k.list))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortFunc(order, func(a, b int32) int { return cmp.Compare(k.list[a].index, k.list[b].index) })
	gaps := map[int32]int{} // removed after the chunk that stayed; none is the beginning
	last := int32(none)
	for _, i := range order {
		if k.list[i].seen {
			last = i
		} else {
			gaps[last]++
		}
	}
	last = none
	for _, i := range after {
		switch {
		case i != none:
			last = i
		case gaps[last] > 0:
			gaps[last]--
			n++
		}
	}
	return n
}
