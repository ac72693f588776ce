package app

import (
	"archive/zip"
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"decant/handler/internal/pipeline"
)

// packed makes a zip of members: name and content, in order. A name that begins with "!" is marked as encrypted.
func packed(t *testing.T, members ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for i := 0; i+1 < len(members); i += 2 {
		header := &zip.FileHeader{Name: strings.TrimPrefix(members[i], "!"), Method: zip.Deflate}
		if header.Name != members[i] {
			header.Flags = 1
		}
		w, err := z.CreateHeader(header)
		must(t, err)
		_, err = w.Write([]byte(members[i+1]))
		must(t, err)
	}
	must(t, z.Close())
	return b.Bytes()
}

// mailWith is a mail with one attachment.
func mailWith(name string, content []byte) string {
	return "From: Ann <ann@example.com>\r\nTo: bo@example.com\r\nSubject: The files\r\nMIME-Version: 1.0\r\n" +
		"Content-Type: multipart/mixed; boundary=xx\r\n\r\n--xx\r\nContent-Type: text/plain\r\n\r\nHere they are.\r\n--xx\r\n" +
		"Content-Type: application/zip\r\nContent-Disposition: attachment; filename=" + name + "\r\nContent-Transfer-Encoding: base64\r\n\r\n" +
		base64.StdEncoding.EncodeToString(content) + "\r\n--xx--\r\n"
}

// TestZipInMailInZip converts a zip with a mail with a zip in which one member is encrypted, one a bomb, one broken, and one too
// deep: a tree of results, each with its state, and everything that could not be read is named at the root.
func TestZipInMailInZip(t *testing.T) {
	deep := []byte("the bottom")
	for i := range 4 {
		deep = packed(t, fmt.Sprintf("level%d.zip", i), string(deep))
	}
	inner := packed(t,
		"ok.txt", "Good text.", "!secret.txt", "hidden", "zeros.bin", string(make([]byte, 10<<20)),
		"broken.docx", "PK\x03\x04 this is no package at all", "deep.zip", string(deep), "../evil.txt", "Cleaned name.")
	dir := t.TempDir()
	must(t, os.WriteFile(filepath.Join(dir, "outer.zip"), packed(t, "letter.eml", mailWith("inner.zip", inner), "readme.md", "# Read me"), 0o600))
	got := decant(t, dir, "", "convert", "outer.zip", "--json")
	if got.code != 0 {
		t.Fatalf("exit code %d: %s%s", got.code, got.stdout, got.stderr)
	}

	tree := map[string]string{}
	var root pipeline.Manifest
	must(t, filepath.WalkDir(filepath.Join(dir, "out"), func(path string, d os.DirEntry, err error) error {
		if err != nil || d.Name() != "manifest.json" {
			return err
		}
		text, err := os.ReadFile(path)
		must(t, err)
		var m pipeline.Manifest
		must(t, json.Unmarshal(text, &m))
		if m.Source.Parent == "" {
			root = m
		}
		for _, a := range m.Attachments {
			tree[m.Source.Path+" > "+a.Name] = strings.TrimSpace(string(a.Status) + " " + string(a.Fault))
		}
		return nil
	}))
	const letter, zipped = "outer.zip!/letter.eml", "outer.zip!/letter.eml!/inner.zip"
	want := map[string]string{
		"outer.zip > letter.eml":                       "succeeded",
		"outer.zip > readme.md":                        "succeeded",
		letter + " > inner.zip":                        "succeeded",
		zipped + " > ok.txt":                           "succeeded",
		zipped + " > secret.txt":                       "encrypted",
		zipped + " > zeros.bin":                        "limit_ratio",
		zipped + " > broken.docx":                      "failed corrupt",
		zipped + " > deep.zip":                         "succeeded",
		zipped + " > evil.txt":                         "succeeded",
		zipped + "!/deep.zip > level3.zip":             "succeeded",
		zipped + "!/deep.zip!/level3.zip > level2.zip": "limit_depth",
	}
	if diff := cmp.Diff(want, tree); diff != "" {
		t.Errorf("tree (-want +got):\n%s", diff)
	}

	unread := map[string]string{}
	for _, u := range root.Unread {
		unread[strings.TrimPrefix(u.Path, zipped)] = string(u.Fault)
	}
	if diff := cmp.Diff(map[string]string{
		"!/secret.txt": "encrypted", "!/zeros.bin": "limit_ratio", "!/broken.docx": "corrupt", "!/deep.zip!/level3.zip!/level2.zip": "limit_depth",
	}, unread); diff != "" {
		t.Errorf("unread at the root (-want +got):\n%s", diff)
	}
	if !strings.Contains(fmt.Sprint(root.Warnings), "{attachment_failed 4}") {
		t.Errorf("warnings at the root: %v, want attachment_failed 4", root.Warnings)
	}
}
