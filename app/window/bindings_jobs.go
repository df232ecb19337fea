package window

import (
	"coppice/app/internal/guard"
	"coppice/app/window/internal/job"
)

// JobBindings report on jobs and cancel them.
type JobBindings struct{ *program }

// GetJob returns the state of a job.
func (b *JobBindings) GetJob(id string) (state job.Job, err error) {
	err = guard.Run(func() error {
		state, err = b.jobs.Get(id)
		return err
	})
	return state, err
}

// CancelJob cancels a job. What it has finished is kept.
func (b *JobBindings) CancelJob(id string) error {
	return guard.Run(func() error { return b.jobs.Cancel(id) })
}
