package zipfile

import (
	"archive/zip"
	"errors"
	"io"
	"path"
	"sort"
	"strings"

	"decant/handler/internal/fault"
)

// Limits of an archive, beside the byte budget that the caller gives.
const (
	maxMembers    = 100_000   // honest Office files stay below 20,000
	DefaultBudget = 4 << 30   // bytes unpacked, when the caller gives none
	maxRatio      = 600       // deflate ends at 1,032; repetitive sheets reach about 200
	ratioFrom     = 8 << 20   // bytes; below that any ratio is harmless
	maxWhole      = 256 << 20 // bytes of a member that is read whole, unless the caller gives less
)

// Archive is an open zip archive.
type Archive struct {
	members map[string]*entry // by cleaned name
	folded  map[string]string // cleaned name by lower-case name
	names   []string
	left    int64 // budget
	cutOff  bool
	notes   []string
}

// entry is one member: as the directory lists it, or as it was found without one.
type entry struct {
	size, packed int64
	encrypted    bool
	open         func() (io.ReadCloser, error)
}

// Open reads and checks the archive's directory. budget is how many bytes its members may unpack to together;
// 0 means DefaultBudget. A file that was cut off has no directory: its parts are found one by one, and Notes says so;
// it fails with fault.Corrupt when there are none.
func Open(r io.ReaderAt, size, budget int64) (*Archive, error) {
	if budget <= 0 {
		budget = DefaultBudget
	}
	a := &Archive{members: map[string]*entry{}, folded: map[string]string{}, left: budget}
	z, err := zip.NewReader(r, size)
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) {
		return a.rescue(r, size, err)
	}
	if len(z.File) > maxMembers {
		return nil, fault.Newf(fault.TooLarge, "The file has %d parts inside, more than the %d that are read.", len(z.File), maxMembers)
	}
	if err := a.checkOverlaps(z.File); err != nil {
		return nil, err
	}
	for _, f := range z.File {
		a.add(f.Name, &entry{size: int64(f.UncompressedSize64), packed: int64(f.CompressedSize64), encrypted: f.Flags&1 != 0, open: f.Open})
	}
	return a, nil
}

// rescue fills an archive whose directory is missing from the headers of its members.
func (a *Archive) rescue(r io.ReaderAt, size int64, cause error) (*Archive, error) {
	found := rescue(r, size)
	for i := range found {
		m := &found[i]
		a.add(m.name, &entry{packed: m.packed, encrypted: m.flags&1 != 0, open: func() (io.ReadCloser, error) { return m.open(r, size) }})
	}
	if len(a.names) == 0 {
		return nil, fault.New(fault.Corrupt, "The file's zip directory is missing or damaged, so its parts cannot be found. Save it again in the program that made it, or upload it again.", cause)
	}
	a.cutOff = true
	a.notes = append(a.notes, "The file ends early: its zip directory is missing. The parts that are there were read.")
	return a, nil
}

// add takes a member in under its cleaned name. Of two with one name the first counts, as most programs have it.
func (a *Archive) add(stored string, f *entry) {
	if strings.HasSuffix(stored, "/") {
		return
	}
	name := Clean(stored)
	if name == "" {
		return
	}
	if _, twice := a.members[name]; twice {
		a.notes = append(a.notes, "The part "+name+" is in the file twice; the first was read.")
		return
	}
	a.members[name] = f
	a.names = append(a.names, name)
	if lower := strings.ToLower(name); a.folded[lower] == "" {
		a.folded[lower] = name
	}
}

// checkOverlaps refuses members that share their bytes: that is how small bombs are made (golang/go#33026).
func (a *Archive) checkOverlaps(files []*zip.File) error {
	type span struct{ start, end int64 }
	spans := make([]span, 0, len(files))
	for _, f := range files {
		start, err := f.DataOffset()
		if err != nil { // the member is told as damaged when it is read
			continue
		}
		spans = append(spans, span{start, start + int64(f.CompressedSize64)})
	}
	sort.Slice(spans, func(i, j int) bool { return spans[i].start < spans[j].start })
	for i := 1; i < len(spans); i++ {
		if spans[i].start < spans[i-1].end {
			return fault.Newf(fault.LimitRatio, "Parts of the file overlap inside it, as in a zip bomb, and it was not unpacked.")
		}
	}
	return nil
}

// Clean makes a member's name a relative path with slashes that stays below its root.
func Clean(name string) string {
	name = strings.ReplaceAll(name, `\`, "/")
	name = path.Clean("/" + name)
	return strings.TrimPrefix(strings.TrimRight(name, "/"), "/")
}

// Names are the members' cleaned names, in the order of the directory, without folders.
func (a *Archive) Names() []string { return a.names }

// CutOff tells whether the directory is missing and the members were found one by one: some are missing, the last may be incomplete.
func (a *Archive) CutOff() bool { return a.cutOff }

// Notes are sentences about what was odd in the directory.
func (a *Archive) Notes() []string { return a.notes }

// Find gives the name under which a member is listed: as asked for, or else without regard to case.
func (a *Archive) Find(name string) (string, bool) {
	name = Clean(name)
	if _, ok := a.members[name]; ok {
		return name, true
	}
	found, ok := a.folded[strings.ToLower(name)]
	return found, ok
}

// Has tells whether there is such a member.
func (a *Archive) Has(name string) bool {
	_, ok := a.Find(name)
	return ok
}

// Size is how many bytes a member says it unpacks to, or 0.
func (a *Archive) Size(name string) int64 {
	if found, ok := a.Find(name); ok {
		return a.members[found].size
	}
	return 0
}
