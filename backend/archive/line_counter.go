package archive

import (
	"bytes"
	"io"
	"sync"
)

// lineCounter finds the line of an offset. It reads the file again for that, because it is only needed for problems; it
// starts from the previous offset, because there may be many.
type lineCounter struct {
	mu    sync.Mutex
	at    int64
	count int64 // line ends before at
}

// line counts from 1.
func (c *lineCounter) line(data io.ReaderAt, at int64) int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	if at < c.at {
		c.at, c.count = 0, 0
	}
	buf := make([]byte, 64<<10)
	for c.at < at {
		n, err := data.ReadAt(buf[:min(int64(len(buf)), at-c.at)], c.at)
		c.count += int64(bytes.Count(buf[:n], []byte("\n")))
		c.at += int64(n)
		if err != nil {
			break
		}
	}
	return c.count + 1
}
