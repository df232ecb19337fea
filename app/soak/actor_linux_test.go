package soak

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// actor acts as one user or program, with one process at a time.
type actor struct {
	*run
	name   string // unique among the actors
	chance *rand.Rand
	files  []*file // the files that it has imported
}

// file is a session file of another tool, which grows.
type file struct {
	path, id, last string
	texts          []string
	acked          bool
}

// pick is an action and the weight with which it is chosen.
type pick struct {
	weight int
	do     func(ctx context.Context) error
}

func (a *actor) act(ctx context.Context) error {
	picks := []pick{
		{5, a.importNew},
		{5, a.importGrown},
		{4, a.prompt},
		{3, a.branch},
		{3, a.label},
		{2, a.search},
		{1, a.list},
		{1, a.export},
		{2, a.backup},
		{2, a.trash},
		{4, a.write},
		{2, a.split},
		{1, a.openWindow},
	}
	sum := 0
	for _, p := range picks {
		sum += p.weight
	}
	n := a.chance.IntN(sum)
	for _, p := range picks {
		if n -= p.weight; n < 0 {
			return p.do(ctx)
		}
	}
	return nil
}

// mark returns a unique text.
func (a *actor) mark() string {
	return fmt.Sprintf("soak%s%d", a.name, a.chance.Uint64())
}

// fate decides the faults of a process: it may be killed, and its disk may fail.
func (a *actor) fate() (env []string, kill time.Duration) {
	if a.chance.IntN(3) == 0 {
		kill = time.Duration(1+a.chance.IntN(a.killWithinMs)) * time.Millisecond
	}
	if a.chance.IntN(6) == 0 {
		kinds := []string{"full", "full", "error", "fsync"}
		env = append(env, fmt.Sprintf("%s=%s:%d", faultVar, kinds[a.chance.IntN(len(kinds))], 1+a.chance.IntN(60)))
	}
	return env, kill
}

// cli runs a command and reports whether it succeeded.
func (a *actor) cli(args ...string) (process, error) {
	env, kill := a.fate()
	p, err := start(append(env, append(a.env, roleVar+"="+roleCLI)...), kill, nil, args...)
	a.count(p, env, args)
	return p, err
}

func (a *actor) importNew(context.Context) error {
	f := &file{id: uuid(a.chance)}
	f.path = filepath.Join(a.work, "sessions", f.id+".jsonl")
	a.files = append(a.files, f)
	return a.grow(f)
}

func (a *actor) importGrown(ctx context.Context) error {
	if len(a.files) == 0 {
		return a.importNew(ctx)
	}
	return a.grow(a.files[a.chance.IntN(len(a.files))])
}

// grow adds messages to a file and imports it.
func (a *actor) grow(f *file) error {
	more := texts(a.mark(), 1+a.chance.IntN(40), func() int { return a.chance.IntN(200) })
	out, err := os.OpenFile(f.path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	for _, text := range more {
		uid := uuid(a.chance)
		line := map[string]any{
			"type": "user", "uuid": uid, "parentUuid": nil, "sessionId": f.id, "timestamp": time.Now().UTC().Format(time.RFC3339Nano), "cwd": "/w", "version": "2.1.42",
			"isSidechain": false, "message": map[string]any{"role": "user", "content": text},
		}
		if f.last != "" {
			line["parentUuid"] = f.last
		}
		f.last = uid
		if err := json.NewEncoder(out).Encode(line); err != nil {
			return err
		}
	}
	if err := out.Close(); err != nil {
		return err
	}
	f.texts = append(f.texts, more...)
	p, err := a.cli("import", f.path)
	if err != nil || p.code != 0 {
		return err
	}
	f.acked = true
	return a.ack(kindText, f.texts...)
}

// imported returns the id of an imported session, or the empty string if the library has none.
func (a *actor) imported() string {
	for _, f := range a.files {
		if f.acked {
			return f.id
		}
	}
	return ""
}

// prompt starts a session, or continues one.
func (a *actor) prompt(context.Context) error {
	text := a.mark() + " prompt"
	args := []string{"run", text, "--json", "--model", "script/" + a.script, "--mode", "plan", "--workspace", a.workspace}
	if id := a.imported(); id != "" && a.chance.IntN(2) == 0 {
		args = []string{"resume", id, text, "--json", "--model", "script/" + a.script, "--mode", "plan", "--workspace", a.workspace}
	}
	p, err := a.cli(args...)
	if err != nil || p.code != 0 {
		return err
	}
	var outcome struct{ Answer string }
	if err := json.Unmarshal([]byte(p.out), &outcome); err != nil {
		return err
	}
	return a.ack(kindText, text, outcome.Answer)
}

func (a *actor) branch(ctx context.Context) error {
	id := a.imported()
	if id == "" {
		return a.importNew(ctx)
	}
	if p, err := a.cli("branch", id, "m0"); err != nil || p.code != 0 {
		return err
	}
	return a.prompt(ctx)
}

func (a *actor) label(ctx context.Context) error {
	id := a.imported()
	if id == "" {
		return a.importNew(ctx)
	}
	text := a.mark()
	node := fmt.Sprintf("n%d", a.labelled.Add(1))
	p, err := a.cli("label", id, node, text)
	if err != nil || p.code != 0 {
		return err
	}
	return a.ack(kindLabel, text)
}

func (a *actor) search(context.Context) error {
	releases := a.releases()
	for text, kind := range a.snapshot() {
		if kind != kindText || strings.HasPrefix(text, "You") {
			continue
		}
		word, _, _ := strings.Cut(text, " ")
		p, err := a.cli("search", word)
		if err == nil && p.code == 0 && !strings.Contains(p.out, word) && a.releases() == releases { // otherwise the session may have been in the trash meanwhile
			a.complain("search does not find " + word)
		}
		return err
	}
	return nil
}

func (a *actor) list(context.Context) error {
	_, err := a.cli("sessions", "--json")
	return err
}

func (a *actor) export(context.Context) error {
	id := a.imported()
	if id == "" {
		return nil
	}
	out := filepath.Join(a.work, a.mark()+".md")
	defer os.RemoveAll(out)
	_, err := a.cli("export", id, "--output", out)
	if data, readErr := os.ReadFile(out); readErr == nil && len(data) == 0 {
		a.complain("an export is empty")
	}
	return err
}

// backup copies the library. The copy must have everything that was acknowledged before.
func (a *actor) backup(ctx context.Context) error {
	before := a.snapshot()
	out := filepath.Join(a.work, a.mark()+".db")
	p, err := a.cli("db", "backup", out)
	if _, missing := os.Stat(out); err != nil || missing != nil {
		if p.code == 0 && !p.killed {
			a.complain("a backup is missing")
		}
		return err
	}
	defer os.Remove(out)
	copied, err := read(ctx, out)
	if err != nil {
		return fmt.Errorf("read a backup: %w", err)
	}
	for text := range before {
		if !a.has(text) {
			delete(before, text) // it was moved to the trash meanwhile
		}
	}
	for _, lost := range missing(before, nil, copied) {
		a.complain("a backup lacks " + lost)
	}
	return nil
}

// trash deletes a session of this actor, and restores it or empties the trash. Only one actor at a time does that.
func (a *actor) trash(context.Context) error {
	if len(a.files) < 3 || !a.trashing.TryLock() {
		return nil
	}
	defer a.trashing.Unlock()
	f := a.files[len(a.files)-1] // the actor labels and continues another file
	if !f.acked {
		return nil
	}
	a.release(f.texts...)
	a.files = slices.DeleteFunc(a.files, func(o *file) bool { return o == f })
	if p, err := a.cli("delete", f.id); err != nil || p.code != 0 {
		return err
	}
	if a.chance.IntN(2) == 0 {
		_, err := a.cli("trash", "empty")
		return err
	}
	p, err := a.cli("trash", "restore", f.id)
	if err != nil || p.code != 0 {
		return err
	}
	a.files = append(a.files, f)
	return a.ack(kindText, f.texts...)
}

// write starts a process that appends messages as a window does, and records each message that the process
// acknowledges.
func (a *actor) write(context.Context) error {
	env, kill := a.fate()
	var failed error
	dropped := 0
	p, err := start(append(env, append(a.env, roleVar+"="+roleWriter)...), kill, func(line string) {
		if text, ok := strings.CutPrefix(line, "ack "); ok && failed == nil {
			failed = a.ack(kindText, text)
		}
		if line == "dropped" {
			dropped++
		}
	}, fmt.Sprint(a.chance.Uint64()), fmt.Sprint(5+a.chance.IntN(40)), fmt.Sprint(a.drops), a.mark())
	a.count(p, env, []string{"writer"})
	a.dropped(dropped)
	if failed != nil {
		return failed
	}
	return err
}

func uuid(chance *rand.Rand) string {
	a, b := chance.Uint64(), chance.Uint64()
	return fmt.Sprintf("%08x-%04x-4%03x-8%03x-%012x", uint32(a), uint16(a>>32), a>>52, b&0xfff, b>>16)
}
