package outside

import (
	"strings"
	"sync"
)

// tailBytes is how much of the end of a program's standard error is kept for its fault.
const tailBytes = 4 << 10

// tail keeps the end of what is written to it.
type tail struct {
	mu   sync.Mutex
	text []byte
}

// Write never fails.
func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.text = append(t.text, p[max(0, len(p)-tailBytes):]...)
	t.text = t.text[max(0, len(t.text)-tailBytes):]
	return len(p), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return strings.ToValidUTF8(strings.TrimSpace(string(t.text)), "\uFFFD")
}

// said is the last line, for people, with a colon in front; empty when nothing was said.
func (t *tail) said() string {
	lines := strings.Split(t.String(), "\n")
	last := []rune(strings.TrimSpace(lines[len(lines)-1]))
	if len(last) == 0 {
		return ""
	}
	return ": " + string(last[:min(len(last), 160)])
}

// memoryWords are what programs say when they get no memory: C++, Python, C, Java, Go.
var memoryWords = []string{"std::bad_alloc", "MemoryError", "Cannot allocate memory", "OutOfMemoryError", "out of memory"}

func (t *tail) lackOfMemory() bool {
	text := t.String()
	for _, words := range memoryWords {
		if strings.Contains(text, words) {
			return true
		}
	}
	return false
}
