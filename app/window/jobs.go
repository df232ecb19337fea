package window

import (
	"context"
	"slices"
	"strconv"
	"sync"
	"time"

	"coppice/app/internal/guard"
	"coppice/backend/core"
)

// The kinds of jobs.
const (
	jobImport  = "import"
	jobExport  = "export"
	jobBackup  = "backup"
	jobCheck   = "check"
	jobRecover = "recover"
)

// keptJobs is how many finished jobs can still be queried. A job is kept in any case until its end has been queried.
const keptJobs = 32

// jobs holds the long tasks of the window. It is safe for concurrent use.
type jobs struct {
	changes *changes
	running sync.WaitGroup

	mu   sync.Mutex
	next int64
	all  []*job // oldest first
}

type job struct {
	Job
	cancel context.CancelFunc
	read   bool // get has returned its end
}

// update changes a job's state under the lock.
type update func(func(*Job))

func newJobs(c *changes) *jobs { return &jobs{changes: c} }

// start starts a job and returns its id. An error of work becomes the job's error.
func (j *jobs) start(ctx context.Context, kind string, work func(context.Context, update) error) string {
	ctx, cancel := context.WithCancel(ctx)
	j.mu.Lock()
	j.next++
	one := &job{cancel: cancel, Job: Job{
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
		j.changes.job(one.ID)
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
		s.Error, s.Hint = err.Error(), hintOf(err)
	}
}

// forget removes the oldest jobs whose end has been queried.
func (j *jobs) forget() {
	extra := len(j.all) - keptJobs
	j.all = slices.DeleteFunc(j.all, func(one *job) bool {
		if extra <= 0 || !one.read {
			return false
		}
		extra--
		return true
	})
}

// get returns the state of a job.
func (j *jobs) get(id string) (Job, error) {
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

// cancel cancels a job.
func (j *jobs) cancel(id string) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	one := j.find(id)
	if one == nil {
		return core.E(core.NotFound, "no job %q", id)
	}
	one.cancel()
	return nil
}

func (j *jobs) find(id string) *job {
	for _, one := range j.all {
		if one.ID == id {
			return one
		}
	}
	return nil
}

// wrote reports whether a job that can still be queried has written the file or folder.
func (j *jobs) wrote(path string) bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	return path != "" && slices.ContainsFunc(j.all, func(one *job) bool { return one.Path == path })
}

// wait waits until every job has ended. Their contexts must have ended.
func (j *jobs) wait() { j.running.Wait() }
