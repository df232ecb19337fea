package tools

import (
	"bytes"
	"fmt"
	"sync"
	"time"
	"unicode/utf8"
)

const maxKeptBytes = 16 << 20 // of an output: its first and its last half

// capture stores the output of a command in bounded memory and reports it as it arrives.
type capture struct {
	mu    sync.Mutex
	head  []byte
	tail  []byte // a ring once it is full
	at    int    // index of the ring's oldest byte
	size  int64
	lines int64
	last  byte

	fresh  []byte // not yet reported
	tell   func(string)
	done   chan struct{}
	closed sync.WaitGroup
}

const maxFreshBytes = 64 << 10 // reported at once; anything before that is skipped

func newCapture(tell func(string)) *capture {
	c := &capture{tell: tell, done: make(chan struct{})}
	c.closed.Go(c.teller)
	return c
}

// Write stores p. It never fails.
func (c *capture) Write(p []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.size += int64(len(p))
	c.lines += int64(bytes.Count(p, []byte{'\n'}))
	if len(p) > 0 {
		c.last = p[len(p)-1]
	}
	c.fresh = append(c.fresh, p...)
	if len(c.fresh) > 2*maxFreshBytes {
		c.fresh = append(c.fresh[:0], c.fresh[len(c.fresh)-maxFreshBytes:]...)
	}
	rest := p
	if room := maxKeptBytes/2 - len(c.head); room > 0 {
		c.head = append(c.head, rest[:min(room, len(rest))]...)
		rest = rest[min(room, len(rest)):]
	}
	if room := maxKeptBytes/2 - len(c.tail); room > 0 && len(rest) > 0 {
		c.tail = append(c.tail, rest[:min(room, len(rest))]...)
		rest = rest[min(room, len(rest)):]
	}
	for len(rest) > 0 {
		n := copy(c.tail[c.at:], rest)
		c.at, rest = (c.at+n)%len(c.tail), rest[n:]
	}
	return len(p), nil
}

// teller reports new output, at most once every progressPause. An incomplete character is held back until the rest
// arrives.
func (c *capture) teller() {
	ticker := time.NewTicker(progressPause)
	defer ticker.Stop()
	for {
		select {
		case <-ticker.C:
			c.flush(false)
		case <-c.done:
			c.flush(true)
			return
		}
	}
}

func (c *capture) flush(all bool) {
	c.mu.Lock()
	end := len(c.fresh)
	for back := 1; !all && back < utf8.UTFMax && back <= len(c.fresh); back++ {
		if at := len(c.fresh) - back; utf8.RuneStart(c.fresh[at]) {
			if !utf8.FullRune(c.fresh[at:]) {
				end = at
			}
			break
		}
	}
	fresh := readable(c.fresh[:end])
	c.fresh = append(c.fresh[:0], c.fresh[end:]...)
	c.mu.Unlock()
	if fresh != "" {
		c.tell(fresh)
	}
}

// close reports the remaining output. Nothing is reported after close returns.
func (c *capture) close() {
	close(c.done)
	c.closed.Wait()
}

// text returns the stored output and the size of the whole output.
func (c *capture) text() (kept string, sizeBytes, lineCount int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	var out bytes.Buffer
	out.Write(c.head)
	if missing := c.size - int64(len(c.head)+len(c.tail)); missing > 0 {
		fmt.Fprintf(&out, "\n[… %d bytes were not kept …]\n", missing)
	}
	out.Write(c.tail[c.at:])
	out.Write(c.tail[:c.at])
	lines := c.lines
	if c.size > 0 && c.last != '\n' {
		lines++
	}
	return readable(out.Bytes()), c.size, lines
}
