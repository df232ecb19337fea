package archive

import (
	"cmp"
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"github.com/dustin/go-humanize"

	"coppice/backend/core"
	"coppice/backend/jsontext"
)

// Bounds on run items.
const (
	maxState    = maxWhole // bytes of a run state, which is read as a whole
	maxRunID    = 200      // bytes of an id
	maxPosition = 1 << 20  // tool calls of a message, and lanes
)

// runList iterates over run items in the file.
type runList func(ctx context.Context, take func(at int64, kind runKind, raw json.RawMessage, misfit error) error) error

// addRuns records where a list of run items is. They are read in the order of the kinds, whatever their order in the file.
func (d *draft) addRuns(kind runKind, found list[json.RawMessage]) {
	if d.runLists == nil {
		d.runLists = map[runKind]list[json.RawMessage]{}
		d.runs = inOrder(d.runLists)
	}
	d.runLists[kind] = found
}

func inOrder(lists map[runKind]list[json.RawMessage]) runList {
	return func(ctx context.Context, take func(int64, runKind, json.RawMessage, error) error) error {
		for kind := range runKinds {
			if lists[kind] == nil {
				continue
			}
			err := lists[kind](ctx, func(at int64, raw json.RawMessage, misfit error) error { return take(at, kind, raw, misfit) })
			if err != nil {
				return err
			}
		}
		return nil
	}
}

// yieldRunItems yields the sound run items of a session and reports the others.
func (d *draft) yieldRunItems(ctx context.Context, tell report) iter.Seq2[core.RunItem, error] {
	return func(yield func(core.RunItem, error) bool) {
		r := runReader{draft: d, states: map[string]string{}, stored: map[string]bool{}, runs: map[string]bool{}, copies: map[string]bool{}, waiting: map[string]bool{}}
		err := d.runs(ctx, func(at int64, kind runKind, raw json.RawMessage, misfit error) error {
			r.note = ""
			item, err := core.RunItem{}, misfit
			if err == nil {
				item, err = r.read(kind, raw)
			}
			if err != nil {
				tell(at, fmt.Sprintf("%s: the %s is left out: %v", d.name(), kind.line(), strings.TrimPrefix(err.Error(), "json: ")))
				return nil
			}
			if r.note != "" {
				tell(at, d.name()+": "+r.note)
			}
			if item != (core.RunItem{}) && !yield(item, nil) {
				return errStop
			}
			return nil
		})
		if err != nil && !errors.Is(err, errStop) {
			yield(core.RunItem{}, again(ctx, err, "runs"))
		}
	}
}

// runReader checks the run items of a session.
type runReader struct {
	*draft
	states map[string]string // the hashes of states by those that the file names
	stored map[string]bool   // the hashes of the states that were yielded
	runs   map[string]bool   // the ids of runs
	// copies are the uids of the messages with a copied state, waiting those of the queued messages.
	copies, waiting map[string]bool
	note            string // what was corrected in an item
}

func (r *runReader) read(kind runKind, raw json.RawMessage) (core.RunItem, error) {
	switch kind {
	case kindState:
		return r.state(raw)
	case kindRun:
		return r.run(raw)
	case kindRequest:
		return r.request(raw)
	case kindApproval:
		return r.approval(raw)
	case kindExec:
		return r.exec(raw)
	case kindChange:
		return r.change(raw)
	case kindWake:
		return r.wake(raw)
	case kindCopied:
		return r.copied(raw)
	case kindRestore:
		return r.restore(raw)
	case kindQueued:
		return r.queued(raw)
	case kindCheckpoint:
		return r.checkpoint(raw)
	default:
		return r.unfinished(raw)
	}
}

// state reads a run state. Its hash is computed from its bytes, with the white space of another layout removed, or from its fields where
// these are in another order.
func (r *runReader) state(raw json.RawMessage) (core.RunItem, error) {
	var line stateLine
	if _, err := decodeFields(raw, &line); err != nil {
		return core.RunItem{}, err
	}
	if len(line.State) > maxState {
		return core.RunItem{}, errors.New("it has more than " + humanize.IBytes(maxState))
	}
	data, ok := jsontext.AppendCompact(nil, line.State)
	if !ok || !jsontext.IsObject(data) {
		return core.RunItem{}, errors.New("it is not an object")
	}
	var state core.RunState
	if err := json.Unmarshal(data, &state); err != nil {
		return core.RunItem{}, err
	}
	hash := core.Hash(data)
	if hash != line.Hash {
		if own, ownHash, err := state.Encode(); err == nil && ownHash == line.Hash {
			data, hash = own, ownHash
		} else {
			r.note = "a run state differs from its hash; the requests that refer to it cannot be rebuilt"
		}
	}
	if _, twice := r.states[line.Hash]; twice {
		return core.RunItem{}, errors.New("its hash comes twice")
	}
	r.states[line.Hash] = hash
	if r.stored[hash] { // under another hash in the file
		return core.RunItem{}, nil
	}
	r.stored[hash] = true
	return core.RunItem{State: &core.StateItem{Hash: hash, JSON: data}}, nil
}

func (r *runReader) run(raw json.RawMessage) (core.RunItem, error) {
	var l runLine
	extra, err := decodeFields(raw, &l)
	if err != nil {
		return core.RunItem{}, err
	}
	n := core.RunEntry{
		Run: core.Run{
			ID: l.ID, SessionID: r.session.ID, Lane: l.Lane, Agent: l.Agent, Model: l.Model, BaseURL: l.BaseURL, Mode: l.Mode, WorkspacePath: l.WorkspacePath,
			Status: l.Status, StopReason: l.StopReason, Error: l.Error, StepCount: l.StepCount, InputTokens: l.InputTokens, OutputTokens: l.OutputTokens,
			CostNanoUSD: l.CostNanoUSD, UnpricedSteps: l.UnpricedSteps, UsedSteps: l.UsedSteps, UsedMs: l.UsedMs, StartedAtMs: l.StartedAtMs, EndedAtMs: l.EndedAtMs, Imported: true,
		},
		BudgetJSON: l.Budget, StateHash: r.states[l.StateHash], Extra: extra,
	}
	if len(n.BudgetJSON) == 0 {
		n.BudgetJSON = json.RawMessage("{}")
	}
	switch {
	case n.ID == "" || len(n.ID) > maxRunID:
		return core.RunItem{}, errors.New("it has no valid id")
	case r.runs[n.ID]:
		return core.RunItem{}, errors.New("its id comes twice")
	case len(r.runs) == core.MaxRuns:
		return core.RunItem{}, fmt.Errorf("the session has more than %d runs", core.MaxRuns)
	case !slices.Contains(core.Modes(), n.Mode):
		return core.RunItem{}, fmt.Errorf("its mode %q is unknown", core.Preview(string(n.Mode), 60))
	case n.Status == core.StatusIdle || !slices.Contains(core.Statuses(), n.Status):
		return core.RunItem{}, fmt.Errorf("its status %q is unknown", core.Preview(string(n.Status), 60))
	case n.Lane < 0 || n.Lane > maxPosition:
		return core.RunItem{}, fmt.Errorf("its lane is %d", n.Lane)
	}
	if err := json.Unmarshal(n.BudgetJSON, &n.Budget); err != nil || !jsontext.IsObject(n.BudgetJSON) {
		return core.RunItem{}, errors.New("its budget is not an object of numbers")
	}
	r.runs[n.ID] = true
	r.correct(&n, l.StateHash)
	return core.RunItem{Run: &n}, nil
}

// correct corrects what does not make a run unusable.
func (r *runReader) correct(n *core.RunEntry, stateHash string) {
	if n.Status == core.StatusRunning {
		n.Status, n.StopReason = core.StatusInterrupted, core.StopTerminated
	}
	switch {
	case n.Bound():
		r.note = fmt.Sprintf("run %s has impossible counts; they are limited", core.Preview(n.ID, 60))
	case stateHash != "" && n.StateHash == "":
		r.note = fmt.Sprintf("the state of run %s is missing", core.Preview(n.ID, 60))
	}
}

func (r *runReader) request(raw json.RawMessage) (core.RunItem, error) {
	var l requestLine
	extra, err := decodeFields(raw, &l)
	if err == nil {
		err = r.refers(l.RunID, l.ParentUID)
	}
	hash, known := r.states[l.StateHash]
	switch {
	case err != nil:
		return core.RunItem{}, err
	case !known:
		return core.RunItem{}, errors.New("its state is missing")
	case l.MessageUID != "" && !r.has(l.MessageUID):
		return core.RunItem{}, fmt.Errorf("its answer %q is no message of the session", core.Preview(l.MessageUID, 60))
	case !isAddress(l.RequestHash):
		return core.RunItem{}, errors.New("its hash is not valid")
	}
	return core.RunItem{Request: &core.RequestEntry{SentRequest: core.SentRequest{
		RunID: l.RunID, ParentUID: l.ParentUID, MessageUID: l.MessageUID, StateHash: hash, RequestHash: l.RequestHash, SentAtMs: l.SentAtMs, Redacted: l.Redacted,
	}, Extra: extra}}, nil
}

// approval reads a permission or refusal. One that would apply outside of the session is left out: the file of a session decides nothing
// about others.
func (r *runReader) approval(raw json.RawMessage) (core.RunItem, error) {
	var l approvalLine
	extra, err := decodeFields(raw, &l)
	switch {
	case err != nil:
		return core.RunItem{}, err
	case l.ID == "" || len(l.ID) > maxRunID:
		return core.RunItem{}, errors.New("it has no valid id")
	case cmp.Or(l.Scope, core.ScopeSession) != core.ScopeSession:
		return core.RunItem{}, fmt.Errorf("its scope is %q, not %q", core.Preview(string(l.Scope), 60), core.ScopeSession)
	case l.Decision != core.DecisionAllow && l.Decision != core.DecisionDeny:
		return core.RunItem{}, fmt.Errorf("its decision %q is unknown", core.Preview(string(l.Decision), 60))
	}
	return core.RunItem{Approval: &core.ApprovalEntry{Approval: core.Approval{
		ID: l.ID, Scope: core.ScopeSession, SessionID: r.session.ID, Tool: l.Tool, Matcher: l.Matcher, Decision: l.Decision, Reason: l.Reason, CreatedAtMs: l.CreatedAtMs,
	}, Extra: extra}}, nil
}

func (r *runReader) exec(raw json.RawMessage) (core.RunItem, error) {
	var l execLine
	extra, err := decodeFields(raw, &l)
	if err == nil {
		err = r.refers(l.RunID, l.MessageUID)
	}
	switch {
	case err != nil:
		return core.RunItem{}, err
	case l.Position < 0 || l.Position > maxPosition:
		return core.RunItem{}, fmt.Errorf("its position is %d", l.Position)
	case !slices.Contains([]core.ExecState{core.ExecPending, core.ExecRunning, core.ExecDone, core.ExecDenied, core.ExecInterrupted}, l.State):
		return core.RunItem{}, fmt.Errorf("its state %q is unknown", core.Preview(string(l.State), 60))
	}
	return core.RunItem{Exec: &core.ExecEntry{ToolExec: core.ToolExec{
		RunID: l.RunID, MessageUID: l.MessageUID, Position: l.Position, CallID: l.CallID, Name: l.Name, State: l.State, Idempotent: l.Idempotent, Result: l.Result,
		StartedAtMs: l.StartedAtMs, EndedAtMs: l.EndedAtMs, Imported: true,
	}, Extra: extra}}, nil
}

// change reads a change of a file. Its path stays inside of the workspace, whatever reads it later.
func (r *runReader) change(raw json.RawMessage) (core.RunItem, error) {
	var l changeLine
	extra, err := decodeFields(raw, &l)
	switch {
	case err != nil:
		return core.RunItem{}, err
	case !r.has(l.MessageUID):
		return core.RunItem{}, noMessage(l.MessageUID)
	case !filepath.IsLocal(filepath.FromSlash(l.Path)) || strings.Contains(l.Path, "\x00"):
		return core.RunItem{}, fmt.Errorf("its path %q is not inside of the workspace", core.Preview(l.Path, 60))
	case l.BeforeHash != "" && !isAddress(l.BeforeHash) || l.AfterHash != "" && !isAddress(l.AfterHash):
		return core.RunItem{}, errors.New("a hash of it is not valid")
	}
	return core.RunItem{Change: &core.ChangeEntry{
		FileChange: core.FileChange{Path: l.Path, BeforeHash: l.BeforeHash, AfterHash: l.AfterHash, Mode: l.Mode},
		MessageUID: l.MessageUID, CallID: l.CallID, CreatedAtMs: l.CreatedAtMs, Extra: extra,
	}}, nil
}

// checkpoint reads a checkpoint with a name.
func (r *runReader) checkpoint(raw json.RawMessage) (core.RunItem, error) {
	var l checkpointLine
	extra, err := decodeFields(raw, &l)
	if err == nil {
		err = core.CheckCheckpointName(l.Name)
	}
	hash, known := r.states[l.StateHash]
	switch {
	case err != nil:
		return core.RunItem{}, err
	case !r.has(l.UID):
		return core.RunItem{}, noMessage(l.UID)
	case l.StateHash != "" && !known:
		return core.RunItem{}, errors.New("its state is missing")
	}
	return core.RunItem{Checkpoint: &core.CheckpointEntry{MessageUID: l.UID, Name: l.Name, StateHash: hash, CreatedAtMs: l.CreatedAtMs, Extra: extra}}, nil
}

// copied reads the run state of a copied answer.
func (r *runReader) copied(raw json.RawMessage) (core.RunItem, error) {
	var l copiedLine
	extra, err := decodeFields(raw, &l)
	hash, known := r.states[l.StateHash]
	switch {
	case err != nil:
		return core.RunItem{}, err
	case !r.has(l.UID):
		return core.RunItem{}, noMessage(l.UID)
	case !known:
		return core.RunItem{}, errors.New("its state is missing")
	case r.copies[l.UID]:
		return core.RunItem{}, errors.New("its message comes twice")
	}
	r.copies[l.UID] = true
	return core.RunItem{Copied: &core.CopiedEntry{MessageUID: l.UID, StateHash: hash, Extra: extra}}, nil
}

// restore reads a checkpoint that the user has restored.
func (r *runReader) restore(raw json.RawMessage) (core.RunItem, error) {
	var l restoreLine
	extra, err := decodeFields(raw, &l)
	hash, known := r.states[l.StateHash]
	former, formerKnown := r.states[l.FormerStateHash]
	switch {
	case err != nil:
		return core.RunItem{}, err
	case !r.has(l.UID):
		return core.RunItem{}, noMessage(l.UID)
	case l.FormerUID != "" && !r.has(l.FormerUID):
		return core.RunItem{}, noMessage(l.FormerUID)
	case l.RunID != "" && !r.runs[l.RunID]:
		return core.RunItem{}, errors.New("its run is missing")
	case l.StateHash != "" && !known || l.FormerStateHash != "" && !formerKnown:
		return core.RunItem{}, errors.New("its state is missing")
	}
	return core.RunItem{Restore: &core.RestoreEntry{
		MessageUID: l.UID, StateHash: hash, RunID: l.RunID, FormerUID: l.FormerUID, FormerStateHash: former, Undone: l.Undone, CreatedAtMs: l.CreatedAtMs, Extra: extra,
	}}, nil
}

// queued reads a message of the user that its run did not take.
func (r *runReader) queued(raw json.RawMessage) (core.RunItem, error) {
	var l queuedLine
	extra, err := decodeFields(raw, &l)
	switch {
	case err != nil:
		return core.RunItem{}, err
	case l.UID == "" || len(l.UID) > maxRunID || r.has(l.UID) || r.waiting[l.UID]:
		return core.RunItem{}, errors.New("it has no valid uid")
	case !r.runs[l.RunID]:
		return core.RunItem{}, errors.New("its run is missing")
	case len(l.Parts) == 0 || slices.ContainsFunc(l.Parts, func(p core.Part) bool { return p.Type != core.PartText }):
		return core.RunItem{}, errors.New("it is not a text")
	}
	r.waiting[l.UID] = true
	return core.RunItem{Queued: &core.QueuedEntry{QueuedMessage: core.QueuedMessage{
		UID: l.UID, SessionID: r.session.ID, RunID: l.RunID, Parts: l.Parts, Cites: l.Cites, CreatedAtMs: l.CreatedAtMs,
	}, Extra: extra}}, nil
}

// unfinished reads a draft.
func (r *runReader) unfinished(raw json.RawMessage) (core.RunItem, error) {
	var l draftLine
	_, err := decodeFields(raw, &l)
	switch {
	case err != nil:
		return core.RunItem{}, err
	case !r.runs[l.RunID]:
		return core.RunItem{}, errors.New("its run is missing")
	case l.ParentUID != "" && !r.has(l.ParentUID):
		return core.RunItem{}, noMessage(l.ParentUID)
	}
	return core.RunItem{Draft: &core.Draft{SessionID: r.session.ID, RunID: l.RunID, ParentUID: l.ParentUID, Message: l.Message, UpdatedAtMs: l.UpdatedAtMs}}, nil
}

// wake reads a condition of a hibernated session. It does nothing before the user confirms it.
func (r *runReader) wake(raw json.RawMessage) (core.RunItem, error) {
	var l wakeLine
	_, err := decodeFields(raw, &l)
	switch {
	case err != nil:
		return core.RunItem{}, err
	case l.ID == "" || len(l.ID) > maxRunID:
		return core.RunItem{}, errors.New("it has no valid id")
	case !slices.Contains([]core.WakeKind{core.WakeManual, core.WakeTime, core.WakeChange, core.WakeDone, core.WakeMessage}, l.Kind):
		return core.RunItem{}, fmt.Errorf("its kind %q is unknown", core.Preview(string(l.Kind), 60))
	}
	return core.RunItem{Wake: &core.Wake{
		ID: l.ID, SessionID: r.session.ID, Kind: l.Kind, AtMs: l.AtMs, Path: l.Path, AwaitedID: l.AwaitedID, Detail: l.Detail, CreatedAtMs: l.CreatedAtMs,
	}}, nil
}

// refers returns an error unless the session has the run and the message.
func (r *runReader) refers(runID, uid string) error {
	switch {
	case !r.runs[runID]:
		return errors.New("its run is missing")
	case !r.has(uid):
		return noMessage(uid)
	}
	return nil
}

func noMessage(uid string) error {
	return fmt.Errorf("%q is no message of the session", core.Preview(uid, 60))
}

// isAddress reports whether a text is a content address.
func isAddress(text string) bool {
	digits, ok := strings.CutPrefix(text, "sha256:")
	digest, err := hex.DecodeString(digits)
	return ok && err == nil && len(digest) == 32 && strings.ToLower(digits) == digits
}

// decodeFields reads an object into a struct by the exact names of its fields, and returns the others.
func decodeFields(data []byte, to any) (core.Extra, error) {
	value := reflect.ValueOf(to).Elem()
	return jsontext.DecodeObject(data, func(name string) any {
		for _, field := range reflect.VisibleFields(value.Type()) {
			if own, _, _ := strings.Cut(field.Tag.Get("json"), ","); own == name {
				return value.FieldByIndex(field.Index).Addr().Interface()
			}
		}
		return nil
	}, func(string) bool { return false })
}
