package app

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// layOut lays the app out with a stand-in for the binary and zips it.
func layOut(t *testing.T) (zipped string) {
	t.Helper()
	dist := t.TempDir()
	must(t, os.WriteFile(filepath.Join(dist, binaryName), []byte("\x7fELF"), 0o600))
	must(t, stage(repository, dist))
	zipped = filepath.Join(t.TempDir(), "dist.zip")
	must(t, zipDist(dist, zipped))
	return zipped
}

func TestPackageIsReproducible(t *testing.T) {
	one, err := os.ReadFile(layOut(t))
	must(t, err)
	two, err := os.ReadFile(layOut(t))
	must(t, err)
	if !bytes.Equal(one, two) {
		t.Error("the same content gives another zip")
	}
}

// TestPackageIsAsTheHostWantsIt: functions beside host.json, the handler by its very name and with its execute bit, everything
// readable, no settings of a laptop.
func TestPackageIsAsTheHostWantsIt(t *testing.T) {
	r, err := zip.OpenReader(layOut(t))
	must(t, err)
	defer r.Close()
	modes := map[string]os.FileMode{}
	var host struct {
		CustomHandler struct {
			Description struct{ DefaultExecutablePath string }
		}
	}
	for _, f := range r.File {
		modes[f.Name] = f.Mode()
		if f.Name == "host.json" {
			in, err := f.Open()
			must(t, err)
			must(t, json.NewDecoder(in).Decode(&host))
		}
	}
	executable := host.CustomHandler.Description.DefaultExecutablePath
	if modes[executable] != 0o755 {
		t.Errorf("%q, the defaultExecutablePath, has mode %v in the zip", executable, modes[executable])
	}
	for name, mode := range modes {
		if name != executable && mode != 0o644 {
			t.Errorf("%s has mode %v", name, mode)
		}
		if strings.Count(name, "/") > 1 || strings.HasPrefix(name, ".") || name == "local.settings.json" {
			t.Errorf("%s does not belong into the zip", name)
		}
	}
	functions, err := filepath.Glob(repository + "functions/*")
	must(t, err)
	for _, f := range functions {
		if _, ok := modes[filepath.Base(f)+"/function.json"]; !ok {
			t.Errorf("function %s is not in the zip", filepath.Base(f))
		}
	}
}

// unpacked zips a laid-out app and unpacks the zip into another folder, as Azure does; what runs there is what is deployed.
func unpacked(t testing.TB, dist string) string {
	t.Helper()
	zipped, dir := filepath.Join(t.TempDir(), "dist.zip"), t.TempDir()
	must(t, zipDist(dist, zipped))
	r, err := zip.OpenReader(zipped)
	must(t, err)
	defer r.Close()
	for _, f := range r.File {
		to := filepath.Join(dir, filepath.FromSlash(f.Name))
		must(t, os.MkdirAll(filepath.Dir(to), 0o750))
		in, err := f.Open()
		must(t, err)
		out, err := os.OpenFile(to, os.O_CREATE|os.O_WRONLY, f.Mode())
		must(t, err)
		_, err = io.Copy(out, in) //nolint:gosec // our own zip
		must(t, err)
		must(t, out.Close())
	}
	// In Azure these are app settings.
	must(t, copyFile(filepath.Join(dist, "local.settings.json"), filepath.Join(dir, "local.settings.json")))
	return dir
}
