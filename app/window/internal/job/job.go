// Package job holds the long tasks of the window, such as imports, exports and checks.
package job

import (
	"context"
	"slices"
	"strconv"
	"sync"
	"time"

	"coppice/app/internal/guard"
	"coppice/app/window/internal/change"
	"coppice/app/window/internal/remedy"
	"coppice/backend/core"
)

// The kinds of jobs.
const (
	Import  = "import"
	Export  = "export"
	Backup  = "backup"
	Check   = "check"
	Recover = "recover"
)

// keptJobs is how many finished jobs can still be queried. A job is kept in any case until its end has been queried.
const keptJobs = 32

// Job is the state of a long task, such as an import, an export or a check.
type Job struct {
	ID          string        `json:"id"`
	Kind        string        `json:"kind"` // import, export, backup, check or recover
	Progress    core.Progress `json:"progress"`
	Done        bool          `json:"done"`
	Canceled    bool          `json:"canceled"`
	Error       string        `json:"error"` // why it failed; empty otherwise
	Hint        string        `json:"hint"`
	Report      core.Report   `json:"report"` // of an import
	Path        string        `json:"path"`   // of an export: the file or folder that was written
	StartedAtMs int64         `json:"startedAtMs"`
	Recovery    core.Recovery `json:"recovery,omitempty,omitzero"` // of a recovery; Path is that of the damaged library
}

// Jobs holds the long tasks of the window. It is safe for concurrent use.
type Jobs struct {
	changes *change.Notifier
	running sync.WaitGroup

	mu   sync.Mutex
	next int64
	all  []*entry // oldest first
}

type entry struct {
	Job
	cancel context.CancelFunc
	read   bool // get has returned its end
}

// Update changes a job's state under the lock.
type Update func(func(*Job))

// New returns an empty list of jobs, which reports changes to c.
func New(c *change.Notifier) *Jobs { return &Jobs{changes: c} }

// Start starts a job and returns its id. An error of work becomes the job's error.
func (j *Jobs) Start(ctx context.Context, kind string, work func(context.Context, Update) error) string {
	ctx, cancel := context.WithCancel(ctx)
	j.mu.Lock()
	j.next++
	one := &entry{cancel: cancel, Job: Job{
		ID: strconv.FormatInt(j.next, 10), Kind: kind, StartedAtMs: time.Now().UnixMilli(),
		Report: core.Report{Sessions: []string{}, Problems: []core.Problem{}},
	}}
	j.all = append(j.all, one)
	j.forget()
	j.mu.Unlock()
	set := func(f func(*Job)) {
		j.mu.Lock()
		f(&one.Job)
		j.mu.Unlock()
		j.changes.Job(one.ID)
	}
	j.running.Go(func() {
		defer cancel()
		err := guard.Run(func() error { return work(ctx, set) })
		set(func(state *Job) { state.finish(err) })
	})
	return one.ID
}

func (s *Job) finish(err error) {
	s.Done = true
	if core.CodeOf(err) == core.Canceled {
		s.Canceled = true
	} else if err != nil {
		s.Error, s.Hint = err.Error(), remedy.Hint(err)
	}
}

// forget removes the oldest jobs whose end has been queried.
func (j *Jobs) forget() {
	extra := len(j.all) - keptJobs
	j.all = slices.DeleteFunc(j.all, func(one *entry) bool {
		if extra <= 0 || !one.read {
			return false
		}
		extra--
		return true
	})
}

// Get returns the state of a job.
func (j *Jobs) Get(id string) (Job, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	one := j.find(id)
	if one == nil {
		return Job{}, core.E(core.NotFound, "no job %q", id)
	}
	one.read = one.Done
	state := one.Job
	state.Report.Sessions = slices.Clone(state.Report.Sessions)
	state.Report.Problems = slices.Clone(state.Report.Problems)
	return state, nil
}

// Cancel cancels a job.
func (j *Jobs) Cancel(id string) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	one := j.find(id)
	if one == nil {
		return core.E(core.NotFound, "no job %q", id)
	}
	one.cancel()
	return nil
}

func (j *Jobs) find(id string) *entry {
	for _, one := range j.all {
		if one.ID == id {
			return one
		}
	}
	return nil
}

// Wrote reports whether a job that can still be queried has written the file or folder.
func (j *Jobs) Wrote(path string) bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	return path != "" && slices.ContainsFunc(j.all, func(one *entry) bool { return one.Path == path })
}

// Wait waits until every job has ended. Their contexts must have ended.
func (j *Jobs) Wait() { j.running.Wait() }
