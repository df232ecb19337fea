package importer

import (
	"sync"
	"time"

	"coppice/backend/core"
)

// progressEvery is how often a listener receives progress within one file.
const progressEvery = 100 * time.Millisecond

// progress adds up what is done and reports it to the listener, not too often.
type progress struct {
	tell func(core.Progress)

	mu      sync.Mutex
	at      core.Progress
	before  int64 // the bytes of the files that are done
	toldAt  time.Time
	current string // the file being written
}

func newProgress(tell func(core.Progress), files []candidate) *progress {
	p := &progress{tell: tell, at: core.Progress{Total: int64(len(files))}}
	for _, f := range files {
		p.at.TotalBytes += f.size
	}
	return p
}

// starts sets the file that is being written.
func (p *progress) starts(f candidate) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.current = f.path
	p.at.Current = f.path
}

// bytes records how far a file is; a file that is only read ahead does not count yet.
func (p *progress) bytes(f candidate, done int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if f.path != p.current {
		return
	}
	p.at.DoneBytes = p.before + min(done, f.size)
	p.say(false)
}

// done records that a file is finished.
func (p *progress) done(f candidate) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.before += f.size
	p.at.Done++
	p.at.DoneBytes = p.before
	p.at.Current = f.path
	p.say(p.at.Done == p.at.Total)
}

func (p *progress) say(last bool) {
	now := time.Now()
	if p.tell == nil || (!last && now.Sub(p.toldAt) < progressEvery) {
		return
	}
	p.toldAt = now
	p.tell(p.at)
}
