package child_test

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"decant/handler/internal/child/childtest"
)

// TestMain is the child when the binary was started as one. After the suite nothing may be left of any child:
// no process, no zombie, no directory, no descriptor.
func TestMain(m *testing.M) {
	childtest.Dispatch()
	if len(os.Args) > 2 {
		switch os.Args[1] {
		case handlerArgument:
			beHandler(os.Args[2])
			return
		case withoutArgument:
			becomeChildWithout(os.Args[2])
		}
	}
	temp, err := os.MkdirTemp("", "decant-suite-")
	if err != nil {
		panic(err)
	}
	os.Setenv("TMPDIR", temp)
	before := len(descriptors())
	code := m.Run()
	for _, left := range leftovers(temp, before) {
		fmt.Fprintln(os.Stderr, "FAIL: left behind:", left)
		code = 1
	}
	os.RemoveAll(temp)
	os.Exit(code)
}

// leftovers looks for what a child leaves behind, for up to a second.
func leftovers(temp string, before int) (left []string) {
	for end := time.Now().Add(time.Second); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		left = childProcesses()
		if entries, _ := os.ReadDir(temp); len(entries) > 0 {
			left = append(left, fmt.Sprintf("%d entries such as %s in the temporary directory", len(entries), entries[0].Name()))
		}
		if now := descriptors(); len(now) > before+2 { // the runtime's poller may have come
			left = append(left, fmt.Sprintf("%d descriptors instead of %d: %v", len(now), before, now))
		}
		if len(left) == 0 {
			return nil
		}
	}
	return left
}

func descriptors() (links []string) {
	entries, _ := os.ReadDir("/proc/self/fd")
	for _, entry := range entries {
		link, _ := os.Readlink("/proc/self/fd/" + entry.Name())
		links = append(links, link)
	}
	return links
}

// childProcesses lists processes whose parent is this one, zombies too, and orphans that came from this test binary.
func childProcesses() (found []string) {
	self, _ := os.Executable()
	entries, _ := os.ReadDir("/proc")
	for _, entry := range entries {
		dir := "/proc/" + entry.Name()
		stat, err := os.ReadFile(dir + "/stat")
		if err != nil {
			continue
		}
		fields := strings.Fields(string(stat)[strings.LastIndex(string(stat), ")")+1:])
		exe, _ := os.Readlink(dir + "/exe")
		ours := fields[1] == fmt.Sprint(os.Getpid()) || exe == self && entry.Name() != fmt.Sprint(os.Getpid())
		if ours && entry.Name() != "self" && entry.Name() != "thread-self" {
			found = append(found, "process "+strings.SplitN(string(stat), ")", 2)[0]+") state "+fields[0])
		}
	}
	return found
}
