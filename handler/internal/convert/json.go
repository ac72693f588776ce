package convert

import (
	"encoding/json"
	"io"
	"sort"

	"decant/handler/internal/doc"
	"decant/handler/internal/job"
)

// jsonHead is the first part of document.json; the blocks, jsonTail and the other members of doc.Document follow it in the same object.
type jsonHead struct {
	Schema     string     `json:"schema"`
	DocumentID job.ID     `json:"documentId"`
	Source     jsonSource `json:"source"`
}

// jsonTail is what is known when the blocks have been written.
type jsonTail struct {
	Conversion jsonConversion `json:"conversion"`
	Counts     job.Counts     `json:"counts"`
}

type jsonSource struct {
	Name      string `json:"name"`
	Path      string `json:"path"`
	MediaType string `json:"mediaType,omitempty"`
	Bytes     int64  `json:"bytes"`
	SHA256    string `json:"sha256"`
	Parent    job.ID `json:"parent,omitempty"`
}

type jsonConversion struct {
	Version     string      `json:"version"`
	Fingerprint string      `json:"fingerprint"`
	Options     job.Options `json:"options"`
	Seconds     float64     `json:"seconds"`    // until this file was written
	PeakMemory  int64       `json:"peakMemory"` // bytes, until this file was written
}

// documentSchema names the version of document.json's form; docs/schemas/document.schema.json describes it.
const documentSchema = "decant/document/1"

func (r *run) jsonHead() jsonHead {
	source := r.req.Job.Source
	return jsonHead{
		Schema:     documentSchema,
		DocumentID: r.req.Job.ID,
		Source:     jsonSource{Name: source.Name(), Path: source.Path, MediaType: source.MediaType, Bytes: r.size, SHA256: r.hash, Parent: source.Parent},
	}
}

// jsonStream writes one object from members of several values, block by block, so that a large document is never in memory twice.
type jsonStream struct {
	w     io.Writer
	err   error
	begun bool
	items int    // of the open list
	line  []byte // of a large table, to be written; used again and again
}

func (s *jsonStream) print(text string) {
	if s.err == nil {
		_, s.err = io.WriteString(s.w, text)
	}
}

func (s *jsonStream) encode(v any) []byte {
	if s.err != nil {
		return nil
	}
	text, err := json.Marshal(v)
	if err != nil {
		s.err = err
	}
	return text
}

// object adds the members of v, except an empty "blocks".
func (s *jsonStream) object(v any) {
	var members map[string]json.RawMessage
	if text := s.encode(v); s.err == nil {
		s.err = json.Unmarshal(text, &members)
	}
	delete(members, "blocks")
	names := make([]string, 0, len(members))
	for name := range members {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		s.member(name)
		s.print(string(members[name]))
	}
}

// open begins a list; blocks adds to it, until shut.
func (s *jsonStream) open(name string) {
	s.member(name)
	s.print("[")
}

func (s *jsonStream) blocks(blocks []doc.Block) {
	for i := range blocks {
		if s.items > 0 {
			s.print(",\n")
		}
		s.items++
		s.block(&blocks[i])
	}
}

func (s *jsonStream) shut() { s.print("]") }

func (s *jsonStream) member(name string) {
	if s.begun {
		s.print(",\n")
	} else {
		s.print("{\n")
	}
	s.begun = true
	s.print(string(s.encode(name)) + ": ")
}

func (s *jsonStream) end() { s.print("\n}\n") }
