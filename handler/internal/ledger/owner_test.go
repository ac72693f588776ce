package ledger_test

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"
	"time"

	"decant/handler/internal/ledger"
)

// asOwner makes the test binary a process that prints its owner's name and lives until its standard input ends.
const asOwner = "DECANT_TEST_OWNER"

func TestMain(m *testing.M) {
	if os.Getenv(asOwner) != "" {
		fmt.Println(ledger.NewOwner())
		_, _ = bufio.NewReader(os.Stdin).ReadString('\n')
		return
	}
	os.Exit(m.Run())
}

// TestOwnerDead: a process on this machine that was killed is known to be dead, one that lives is not, and of what ran
// elsewhere nothing is known.
func TestOwnerDead(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only Linux is asked about processes")
	}
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), asOwner+"=1")
	if _, err := cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	owner := strings.TrimSpace(line)
	if ledger.OwnerDead(owner) || ledger.OwnerDead(ledger.NewOwner()) {
		t.Error("a process that lives counts as dead")
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	for deadline := time.Now().Add(time.Minute); !ledger.OwnerDead(owner) && time.Now().Before(deadline); { // nobody has asked yet how it ended
		time.Sleep(time.Millisecond)
	}
	if !ledger.OwnerDead(owner) {
		t.Errorf("%s was killed and does not count as dead", owner)
	}
	_ = cmd.Wait() // it was killed
	if !ledger.OwnerDead(owner) {
		t.Errorf("%s has ended and does not count as dead", owner)
	}

	name, place, _ := strings.Cut(owner, "@")
	machine, process, _ := strings.Cut(place, ":")
	mine := fmt.Sprintf("%s@%s:%d:", name, machine, os.Getpid())
	for owner, dead := range map[string]bool{
		mine + "1":                              true, // the number is in use again, by a process that began later
		name + "@0123456789ab:" + process:       false,
		name:                                    false,
		"":                                      false,
		name + "@" + machine:                    false,
		name + "@" + machine + ":0:1":           false,
		name + "@" + machine + ":-1:1":          false,
		name + "@" + machine + ":nobody:at:all": false,
		name + "@:" + process:                   false,
	} {
		if ledger.OwnerDead(owner) != dead {
			t.Errorf("OwnerDead(%q) = %v", owner, !dead)
		}
	}
}
