package ledger

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"strings"
)

// NewOwner names a user of a Store: random, and where the system tells, with the process that it lives in, so that others on
// the same machine can see in OwnerDead that the process is gone. The name shows neither host nor user.
func NewOwner() string {
	name := "w" + rand.Text()
	machine, start := machineID(), processStart(os.Getpid())
	if machine == "" || start == "" {
		return name
	}
	return fmt.Sprintf("%s@%s:%d:%s", name, machine, os.Getpid(), start)
}

// OwnerDead tells whether the process of an owner that NewOwner named is certainly gone: it ran on this machine, and it is not
// there now. False means that nothing is known.
func OwnerDead(owner string) bool {
	_, place, found := strings.Cut(owner, "@")
	if !found {
		return false
	}
	machine, process, _ := strings.Cut(place, ":")
	var pid int
	var start string
	if n, err := fmt.Sscanf(strings.ReplaceAll(process, ":", " "), "%d %s", &pid, &start); err != nil || n != 2 || pid <= 0 {
		return false
	}
	return machine != "" && machine == machineID() && processGone(pid, start)
}

// hashOf makes a short name of what tells machines apart.
func hashOf(parts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return hex.EncodeToString(sum[:6])
}
