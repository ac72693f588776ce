package outside

import (
	"strings"
	"sync"
)

// tailBytes is how much of the end of a program's standard error is kept for its fault.
const tailBytes = 4 << 10

// tail keeps the end of what is written to it, and what in it says why the program ended.
type tail struct {
	mu     sync.Mutex
	text   string
	reason string // the first line that names a reason
	memory bool   // lack of memory was one
}

// reasons are how lines begin that say why a program ended, where the end of the output is a stack or nothing.
var reasons = []string{"panic: ", "fatal error: ", "terminate called ", "Fatal "}

// memoryWords are what programs say when they get no memory: C++, Python, C, Java, Go.
var memoryWords = []string{"std::bad_alloc", "MemoryError", "annot allocate memory", "OutOfMemoryError", "out of memory"}

// Write never fails.
func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.text += strings.ToValidUTF8(string(p), "\uFFFD")
	for _, words := range memoryWords {
		t.memory = t.memory || strings.Contains(t.text, words)
	}
	for line := range strings.Lines(t.text) {
		for _, start := range reasons {
			if t.reason == "" && strings.HasPrefix(line, start) {
				t.reason = strings.TrimSpace(line)
			}
		}
	}
	if over := len(t.text) - tailBytes; over > 0 {
		t.text = strings.ToValidUTF8(t.text[over:], "")
	}
	return len(p), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return strings.TrimSpace(t.text)
}

// said is the reason or else the last line, for people, with a colon in front; empty when nothing was said.
func (t *tail) said() string {
	text := t.String()
	words := strings.TrimSpace(text[strings.LastIndexByte(text, '\n')+1:])
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.reason != "" {
		words = t.reason
	}
	if words == "" {
		return ""
	}
	return ": " + shorten(words, 160)
}

func (t *tail) lackOfMemory() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.memory
}
