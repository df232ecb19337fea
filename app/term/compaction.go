package term

import (
	"context"
	"fmt"

	"github.com/dustin/go-humanize"

	"coppice/app/internal/present"
	"coppice/backend/core"
	"coppice/backend/engine"
	"coppice/backend/launch"
	"coppice/backend/sqlite"
)

// CompactSession compacts the context of a session, and prints what that did.
func (s *Shell) CompactSession(ctx context.Context, db *sqlite.DB, session core.Session, flags *RunOptions, focus string) error {
	o, task, release, err := s.resolve(ctx, db, session, flags, "")
	defer release()
	if err != nil {
		return err
	}
	done, err := s.compact(ctx, o, task, focus)
	switch {
	case err != nil:
		return err
	case flags.JSON:
		return s.PrintJSON(done)
	default:
		return s.Printf("%s\n", done.Notice())
	}
}

// compact compacts the context of the session of a task, and prints the notices of the run except for the result.
func (s *Shell) compact(ctx context.Context, o *launch.RunEnv, task engine.Task, focus string) (core.Compaction, error) {
	result := ""
	task.Observe = func(e engine.Event) {
		if e.Type != engine.EventNotice {
			return
		}
		if result != "" {
			s.Say("%s", s.paint(present.Dim, "· "+present.OneLine(result)))
		}
		result = e.Text // the last one is that of the caller
	}
	done, err := o.Engine().Compact(ctx, task, focus)
	return done, err
}

// gauge describes how full a model's context window is; empty if its size is unknown.
func gauge(usedTokens, windowTokens int64) string {
	if usedTokens == 0 || windowTokens == 0 {
		return ""
	}
	return fmt.Sprintf("context %d%% of %s", usedTokens*100/windowTokens, humanize.Comma(windowTokens))
}
