package pipeline

import (
	"encoding/json"
	"path"
	"time"

	"decant/handler/internal/fault"
	"decant/handler/internal/job"
	"decant/handler/internal/ledger"
)

// ManifestSchema names the manifest's form (docs/results.md).
const ManifestSchema = "decant/manifest/1"

// Manifest says what a document's results are. It is written last, and readers start from it:
// the paths of Files are relative to the folder that holds it.
type Manifest struct {
	Schema      string        `json:"schema"`
	DocumentID  job.ID        `json:"documentId"`
	Generation  int64         `json:"generation"`
	Source      job.Source    `json:"source"`
	ContentHash string        `json:"contentHash"`
	Fingerprint string        `json:"fingerprint"`
	Options     job.Options   `json:"options"`
	Version     string        `json:"version"`
	Format      string        `json:"format"`
	Outside     *job.Outside  `json:"outside,omitempty"` // the outside converter that read it first
	Title       string        `json:"title,omitempty"`
	Language    string        `json:"language,omitempty"`
	Status      ledger.State  `json:"status"` // succeeded or empty
	Counts      job.Counts    `json:"counts"`
	Warnings    []job.Warning `json:"warnings,omitempty"`
	Files       []job.File    `json:"files"`
	Attachments []Member      `json:"attachments,omitempty"`
	Unread      []Unread      `json:"unread,omitempty"`
	Usage       Usage         `json:"usage"`
	Created     time.Time     `json:"created"`
}

// Member is a document inside the document, and what became of it.
type Member struct {
	Name       string       `json:"name"`
	File       string       `json:"file,omitempty"` // among Files, relative to the manifest
	MediaType  string       `json:"mediaType,omitempty"`
	Bytes      int64        `json:"bytes"`
	DocumentID job.ID       `json:"documentId,omitempty"`
	Path       string       `json:"path,omitempty"` // of its own source: parent path + "!/" + name
	Status     ledger.State `json:"status,omitempty"`
	Fault      fault.Kind   `json:"fault,omitempty"`
	Message    string       `json:"message,omitempty"`
}

// Unread is a document inside the document, at whatever depth, that has no results: what is missing shows at the root of the tree.
type Unread struct {
	Path    string     `json:"path"` // parent path + "!/" + name, from level to level
	Fault   fault.Kind `json:"fault"`
	Message string     `json:"message,omitempty"`
}

// maxUnread is how many of them a manifest names; the warning attachment_failed counts all.
const maxUnread = 200

// Usage is what the conversion cost.
type Usage struct {
	Seconds    float64 `json:"seconds"`
	CPUSeconds float64 `json:"cpuSeconds"`
	PeakMemory int64   `json:"peakMemory"` // bytes
}

// Marshal gives the manifest's file.
func (m Manifest) Marshal() ([]byte, error) {
	text, err := json.MarshalIndent(m, "", "  ")
	return append(text, '\n'), err
}

// Below gives the manifest with every file path put below dir, as sinks store it that keep generations in folders.
func (m Manifest) Below(dir string) Manifest {
	files := make([]job.File, len(m.Files))
	for i, f := range m.Files {
		f.Path = path.Join(dir, f.Path)
		files[i] = f
	}
	m.Files = files
	members := make([]Member, len(m.Attachments))
	for i, a := range m.Attachments {
		if a.File != "" {
			a.File = path.Join(dir, a.File)
		}
		members[i] = a
	}
	m.Attachments = members
	return m
}

// File finds the published file with the given name, such as job.ChunksFile, in whatever folder.
func (m Manifest) File(name string) (job.File, bool) {
	for _, f := range m.Files {
		if f.Path == name || path.Base(f.Path) == name && path.Base(path.Dir(f.Path)) != job.ImagesDir && path.Base(path.Dir(f.Path)) != job.AttachDir {
			return f, true
		}
	}
	return job.File{}, false
}
