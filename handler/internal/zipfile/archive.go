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
	members map[string]*zip.File // by cleaned name
	folded  map[string]string    // cleaned name by lower-case name
	names   []string
	left    int64 // budget
	notes   []string
}

// Open reads and checks the archive's directory. budget is how many bytes its members may unpack to together;
// 0 means DefaultBudget. It fails with fault.Corrupt when there is no usable directory.
func Open(r io.ReaderAt, size, budget int64) (*Archive, error) {
	z, err := zip.NewReader(r, size)
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) {
		return nil, fault.New(fault.Corrupt, "The file's zip directory is missing or damaged, so its parts cannot be found. Save it again in the program that made it, or upload it again.", err)
	}
	if len(z.File) > maxMembers {
		return nil, fault.Newf(fault.TooLarge, "The file has %d parts inside, more than the %d that are read.", len(z.File), maxMembers)
	}
	if budget <= 0 {
		budget = DefaultBudget
	}
	a := &Archive{members: map[string]*zip.File{}, folded: map[string]string{}, left: budget}
	if err := a.checkOverlaps(z.File); err != nil {
		return nil, err
	}
	for _, f := range z.File {
		a.add(f)
	}
	return a, nil
}

// add takes a member in under its cleaned name. Of two with one name the first counts, as most programs have it.
func (a *Archive) add(f *zip.File) {
	if strings.HasSuffix(f.Name, "/") {
		return
	}
	name := Clean(f.Name)
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
		return int64(a.members[found].UncompressedSize64)
	}
	return 0
}
