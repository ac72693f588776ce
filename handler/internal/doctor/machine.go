package doctor

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"decant/handler/internal/job"
)

// Locks tells which locks of a conversion hold: held and missing by name.
func Locks(required bool, look func(ctx context.Context) (held, missing []string)) Check {
	return Check{"sandbox", func(ctx context.Context) Finding {
		held, missing := look(ctx)
		switch {
		case len(missing) == 0:
			return fine("%s", strings.Join(held, ", "))
		case required:
			return failed("Set DECANT_SANDBOX=auto, or run where the kernel has landlock and seccomp.", "DECANT_SANDBOX=require, but missing: %s", strings.Join(missing, ", "))
		}
		return Finding{Level: Advice, Text: "missing: " + strings.Join(missing, ", ") + "; held: " + strings.Join(held, ", "),
			Do: "Conversions run with the locks that hold. Give only documents that you trust as much as that, or move to a plan whose kernel has them."}
	}}
}

// memoryProbe is the cap of the probe, which then tries to take four times as much, in bytes.
const memoryProbe = 256 * job.MiB

// MemoryCap starts a process that caps itself as a conversion does and takes more. It must die of it.
// command is this program with the arguments that lead to Allocate.
func MemoryCap(command []string) Check {
	return Check{"memory cap", func(ctx context.Context) Finding {
		c := exec.CommandContext(ctx, command[0], command[1:]...)
		c.Env = []string{}
		out, err := c.Output()
		text := strings.TrimSpace(string(out))
		switch {
		case strings.HasPrefix(text, "unsupported"):
			return Finding{Level: Skipped, Text: "this system has no such cap: the watcher alone holds conversions"}
		case strings.HasPrefix(text, "survived"):
			return Finding{Level: Advice, Text: "the kernel does not hold the cap: a process took four times its limit",
				Do: "decant still ends conversions by watching their memory, at most 100 ms late. Keep DECANT_MEMORY × DECANT_JOBS well below the instance."}
		case err != nil && strings.HasPrefix(text, "capped"):
			return fine("a process that took more than its cap was ended by the kernel's refusal")
		}
		return Finding{Level: Skipped, Text: "the probe did not start: " + strconv.Quote(text)}
	}}
}

// Scratch writes to the folders that decant needs.
func Scratch(folders ...string) Check {
	return Check{"folders", func(context.Context) Finding {
		for _, folder := range folders {
			err := os.MkdirAll(folder, 0o700)
			if err == nil {
				var f *os.File
				if f, err = os.CreateTemp(folder, ".doctor-*"); err == nil {
					f.Close()
					err = os.Remove(f.Name())
				}
			}
			if err != nil {
				return failed("Set DECANT_HOME and DECANT_CACHE to folders that may be written; in Azure below /tmp.", "%s cannot be written: %v", filepath.Clean(folder), err)
			}
		}
		return fine("%s", strings.Join(folders, ", "))
	}}
}
