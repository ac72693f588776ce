package child

import (
	"strings"
	"sync"
)

// headSize is how much of the beginning of standard error is kept: the runtime's first lines say why a Go process died.
const headSize = 4 << 10

// capture keeps the beginning and the end of what is written to it, counts the rest, and calls over once when it is too much.
// Two streams may share one budget through chatter.
type capture struct {
	mu      sync.Mutex
	head    []byte
	tail    []byte
	keep    int
	chatter *chatter
}

// chatter is the budget that standard output and standard error share.
type chatter struct {
	mu    sync.Mutex
	left  int64
	spent chan struct{} // closed when nothing is left
	once  sync.Once
}

func newChatter(budget int64) *chatter {
	return &chatter{left: budget, spent: make(chan struct{})}
}

func (c *chatter) use(n int) {
	c.mu.Lock()
	c.left -= int64(n)
	over := c.left < 0
	c.mu.Unlock()
	if over {
		c.once.Do(func() { close(c.spent) })
	}
}

// Write never fails, so that the child is stopped by the watch and not by a broken pipe.
func (c *capture) Write(p []byte) (int, error) {
	c.chatter.use(len(p))
	c.mu.Lock()
	defer c.mu.Unlock()
	rest := p
	if room := min(headSize, c.keep) - len(c.head); room > 0 {
		n := min(room, len(rest))
		c.head = append(c.head, rest[:n]...)
		rest = rest[n:]
	}
	if len(rest) > c.keep {
		rest = rest[len(rest)-c.keep:]
	}
	c.tail = append(c.tail, rest...)
	if len(c.tail) > 2*c.keep {
		c.tail = append([]byte(nil), c.tail[len(c.tail)-c.keep:]...)
	}
	return len(p), nil
}

// Head is the beginning of the stream, valid UTF-8.
func (c *capture) Head() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return strings.ToValidUTF8(string(c.head), "\uFFFD")
}

// String is the end of the stream, at most keep bytes, valid UTF-8.
func (c *capture) String() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	all := append(append([]byte(nil), c.head...), c.tail...)
	if len(all) > c.keep {
		all = all[len(all)-c.keep:]
	}
	return strings.ToValidUTF8(string(all), "\uFFFD")
}
