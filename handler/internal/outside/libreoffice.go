package outside

import (
	_ "embed"
	"maps"
	"os"
	"path/filepath"
	"strings"

	"decant/handler/internal/format/legacy"
)

// profile switches macros, scripts and the updating of links off, whatever the defaults of the installed version are.
//
//go:embed libreoffice.xcu
var profile string

// BuiltIn lists the converters that are there without settings: LibreOffice, one entry for each of its parts. They are used when the
// program is installed, come after the entries of the settings, and can be replaced or switched off by name.
func BuiltIn() []Converter {
	return []Converter{
		libreOffice("libreoffice-writer", legacy.Writer, "docx"),
		libreOffice("libreoffice-calc", legacy.Calc, "xlsx"),
		libreOffice("libreoffice-impress", legacy.Impress, "pptx"),
	}
}

// restart is the exit code of LibreOffice when it has set a new profile up and wants to start afresh.
const restart = 81

// settle points a built-in converter at what is installed: at soffice.bin, which the script and the splash screen in front of it would
// start in the end, and with the build's number in the profile, which saves LibreOffice from setting it up and starting twice.
func settle(c Converter, program string) (Converter, string) {
	real, err := filepath.EvalSymlinks(program)
	if err != nil {
		return c, program
	}
	if binary := filepath.Join(filepath.Dir(real), "soffice.bin"); isFile(binary) {
		program = binary
	}
	text, err := os.ReadFile(filepath.Join(filepath.Dir(real), "versionrc"))
	if err != nil {
		return c, program
	}
	for line := range strings.Lines(string(text)) {
		if id, ok := strings.CutPrefix(strings.TrimSpace(line), "buildid="); ok {
			c.Files = maps.Clone(c.Files)
			c.Files["profile/user/extensions/buildid"] = id
		}
	}
	return c, program
}

// partLibraries are what each part of LibreOffice is, beside soffice.bin.
var partLibraries = map[string]string{"libreoffice-writer": "libswlo.so", "libreoffice-calc": "libsclo.so", "libreoffice-impress": "libsdlo.so"}

// isThere tells whether the part of LibreOffice is installed that a built-in converter needs: distributions pack them apart.
// Where none of them is found, the layout is another one, and all are believed to be there.
func isThere(c Converter, program string) bool {
	dir, some := filepath.Dir(program), false
	for _, library := range partLibraries {
		some = some || isFile(filepath.Join(dir, library))
	}
	return !some || isFile(filepath.Join(dir, partLibraries[c.Name]))
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

func libreOffice(name, part, returns string) Converter {
	return Converter{
		Name: name, Formats: legacy.Names(part), Returns: returns,
		Command: []string{
			"soffice", "-env:UserInstallation={tempurl}/profile", "--headless", "--invisible", "--norestore", "--nologo", "--nodefault",
			"--nolockcheck", "--convert-to", returns, "--outdir", "{output}", "{input}",
		},
		Version: []string{"soffice", "--version"},
		Again:   []int{restart},
		Sockets: []string{"/tmp/OSL_PIPE_*"},                                // it looks there for another LibreOffice with the same profile, and does not start otherwise
		Read:    []string{"/var/lib/libreoffice", "/var/spool/libreoffice"}, // of Debian's packages: the registry of extensions
		Files:   map[string]string{"profile/user/registrymodifications.xcu": profile},
	}
}
