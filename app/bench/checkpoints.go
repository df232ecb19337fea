package main

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"coppice/backend/core"
	"coppice/backend/sqlite"
)

// The measurement of checkpoints stores more steps than the figure counts, so that the pages that tables begin with hardly matter.
const (
	checkpointSteps = 1000
	figureSteps     = 100
	figureBytes     = 20 << 10
)

// measureCheckpoints measures how much a library grows because each step is a checkpoint: its size with the requests of steps minus its size
// without. The reference is how checkpointers such as LangGraph's SqliteSaver store a step: a row with the full state, which holds
// the messages so far.
func measureCheckpoints(ctx context.Context, _ plan, folder string) ([]row, error) {
	grown := func(name string, steps int, recorded bool) (int64, error) {
		db, err := openLibrary(ctx, folder, name)
		if err != nil {
			return 0, err
		}
		if err := takeSteps(ctx, db, steps, recorded); err != nil {
			return 0, errors.Join(err, db.Close())
		}
		if err := db.Close(); err != nil {
			return 0, err
		}
		return usedBytes(ctx, db.FilePath())
	}
	with, err := grown("recorded", checkpointSteps, true)
	if err != nil {
		return nil, err
	}
	without, err := grown("unrecorded", checkpointSteps, false)
	if err != nil {
		return nil, err
	}
	full, err := fullStates(ctx, filepath.Join(folder, "full.db"), figureSteps)
	if err != nil {
		return nil, err
	}
	each := float64(with-without) * figureSteps / checkpointSteps
	what := fmt.Sprintf("checkpoints of %d steps with an unchanged state", figureSteps)
	figure := kibibytes(each)
	return []row{
		{what: what, figure: figure, reference: "at most " + kibibytes(figureBytes), ratio: each / figureBytes, limit: 1},
		{what: what, figure: figure, reference: "the full state per step: " + kibibytes(float64(full)), ratio: each / float64(full), limit: 0.05},
	}, nil
}

func kibibytes(n float64) string { return fmt.Sprintf("%.1f KB", n/1024) }

// benchState is a run state as large as that of an agent with twenty tools.
func benchState() core.RunState {
	tools := make([]core.ToolSpec, 20)
	for i := range tools {
		tools[i] = core.ToolSpec{Name: fmt.Sprint("tool", i), Description: strings.Repeat("Does this or that. ", 20), Parameters: json.RawMessage(`{"type":"object"}`)}
	}
	return core.RunState{
		Agent: core.Agent{Name: "build", Prompt: "You build."}, Model: "bench/paced", BaseURL: "http://localhost", Mode: core.ModeYolo, WorkspacePath: "/work",
		System: strings.Repeat("You are careful. ", 500), Tools: tools,
	}
}

// takeSteps takes steps in a run; recorded adds the request of each, as the engine does.
func takeSteps(ctx context.Context, db *sqlite.DB, steps int, recorded bool) error {
	session, err := db.CreateSession(ctx, core.Session{})
	if err != nil {
		return err
	}
	if _, err := db.StartRun(ctx, core.Run{ID: "run", SessionID: session.ID, Mode: core.ModeYolo, StartedAtMs: 1}); err != nil {
		return err
	}
	first, err := db.AppendInput(ctx, "run", message(0))
	if err != nil {
		return err
	}
	parent, state := first.UID, benchState()
	for i := range steps {
		sent := core.SentRequest{RunID: "run", ParentUID: parent, State: state, RequestHash: core.Hash([]byte(parent)), SentAtMs: int64(i)}
		if recorded {
			if err := db.BeginRequest(ctx, sent); err != nil {
				return err
			}
		}
		m := message(i + 1)
		m.ParentUID = parent
		written, err := db.AppendStep(ctx, "run", m, nil)
		if err != nil {
			return err
		}
		parent = written.UID
	}
	return db.EndRun(ctx, "run", core.StatusSuccess, core.StopDone, "")
}

// fullStates stores the full state of each step in a bare database, and returns its size.
func fullStates(ctx context.Context, path string, steps int) (int64, error) {
	db, err := sql.Open("sqlite", "file:"+path+"?_pragma=page_size(8192)")
	if err != nil {
		return 0, fmt.Errorf("open %s: %w", path, err)
	}
	const schema = `CREATE TABLE checkpoints (thread_id TEXT NOT NULL, checkpoint_id TEXT NOT NULL, parent_checkpoint_id TEXT, checkpoint BLOB,
		metadata BLOB, PRIMARY KEY (thread_id, checkpoint_id))`
	if _, err := db.ExecContext(ctx, schema); err != nil {
		return 0, errors.Join(err, db.Close())
	}
	state := struct {
		State    core.RunState
		Messages []core.Message
	}{benchState(), []core.Message{message(0)}}
	for i := range steps {
		state.Messages = append(state.Messages, message(i+1))
		body, err := json.Marshal(state)
		if err != nil {
			return 0, errors.Join(err, db.Close())
		}
		const insert = `INSERT INTO checkpoints VALUES ('thread', ?, ?, ?, '{}')`
		if _, err := db.ExecContext(ctx, insert, core.NewID(int64(i)), core.NewID(int64(i)), body); err != nil {
			return 0, errors.Join(err, db.Close())
		}
	}
	if err := db.Close(); err != nil {
		return 0, err
	}
	return usedBytes(ctx, path)
}

// usedBytes returns the size of the pages of a database that hold something.
func usedBytes(ctx context.Context, path string) (n int64, err error) {
	db, err := sql.Open("sqlite", "file:"+path)
	if err != nil {
		return 0, fmt.Errorf("open %s: %w", path, err)
	}
	const used = `SELECT (page_count - freelist_count) * page_size FROM pragma_page_count(), pragma_freelist_count(), pragma_page_size()`
	err = db.QueryRowContext(ctx, used).Scan(&n)
	return n, errors.Join(err, db.Close())
}
