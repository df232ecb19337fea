package opencode

import (
	"cmp"
	"context"
	"errors"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/tidwall/gjson"

	"coppice/backend/core"
	"coppice/backend/importer/jsonl"
	"coppice/backend/importer/transcript"
)

// quiet is how long a session's files must be unchanged until only a change of the session file causes them to be read
// again: OpenCode writes that one when a prompt comes, not when an answer grows.
const quiet = time.Hour

// readFile reads a session file with the files in the folders beside it, or an export.
func readFile(ctx context.Context, file core.SourceFile, yield func(core.Incoming, error) bool) error {
	outliner, doc, err := transcript.Open(ctx, file, file.Data, file.SizeBytes, "messages")
	if err != nil {
		return err
	}
	s := &session{file: file}
	files := &storage{root: filepath.Dir(filepath.Dir(filepath.Dir(file.Path))), problem: file.Problem}
	if said := doc.Head.Get("info"); said.IsObject() {
		s.info = ofObject(said)
		s.store = &export{file: file, outliner: outliner, elements: doc.Lists["messages"]}
	} else {
		s.info = ofObject(doc.Head)
		s.store = files
	}
	if s.id == "" {
		return core.E(core.Invalid, "the session has no id")
	}
	in, ok, err := s.incoming(ctx)
	if err != nil || !ok {
		return err
	}
	if time.Since(time.UnixMilli(max(files.newestMs, file.ModifiedMs))) > quiet || s.store != files {
		in.Cursor = &core.Cursor{}
	}
	yield(in, nil)
	return nil
}

// storage is the folder of the versions that kept a file for every message and every part.
type storage struct {
	root     string
	problem  func(int64, string)
	newestMs int64 // when the newest of the files was written
}

// stored is a file of a message or a part.
type stored struct {
	name string
	at   int64
	path string
}

func (st *storage) each(ctx context.Context, session string) iter.Seq2[raw, error] {
	return func(yield func(raw, error) bool) {
		messages, err := st.list(ctx, "message", session)
		if err != nil {
			yield(raw{}, err)
			return
		}
		slices.SortStableFunc(messages, func(a, b stored) int { return cmp.Compare(a.at, b.at) })
		loose, err := st.loose(ctx, messages)
		if err != nil {
			yield(raw{}, err)
			return
		}
		for _, m := range messages {
			v, ok := st.read(m.path)
			if !ok {
				continue
			}
			r := raw{id: jsonl.Text(v.Get("id")), info: v}
			if r.id == "" {
				st.problem(0, m.path+": a message without an id, skipped")
				continue
			}
			r.parts = loose[r.id]
			parts, err := st.list(ctx, "part", r.id)
			if err != nil {
				yield(raw{}, err)
				return
			}
			for _, p := range parts {
				if v, ok := st.read(p.path); ok {
					r.parts = append(r.parts, v)
				}
			}
			if !yield(r, nil) {
				return
			}
		}
	}
}

// list returns the files of a folder by name, with their times; none if there is no such folder.
func (st *storage) list(ctx context.Context, kind, of string) ([]stored, error) {
	if of == "" || of == "." || of == ".." || filepath.Base(of) != of {
		return nil, nil // no name of a folder
	}
	return st.files(ctx, filepath.Join(st.root, kind, of), kind == "message")
}

func (st *storage) files(ctx context.Context, folder string, dated bool) ([]stored, error) {
	entries, err := os.ReadDir(folder)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		st.problem(0, err.Error()) // what could be listed is read
	}
	var all []stored
	for _, e := range entries {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		info, err := e.Info()
		if err != nil || !info.Mode().IsRegular() || filepath.Ext(e.Name()) != ".json" {
			continue
		}
		st.newestMs = max(st.newestMs, info.ModTime().UnixMilli())
		f := stored{name: e.Name(), path: filepath.Join(folder, e.Name())}
		if dated {
			v, ok := st.read(f.path)
			if !ok {
				continue
			}
			f.at = jsonl.Millis(v.Get("time.created"))
		}
		all = append(all, f)
	}
	return all, nil
}

// loose reads the parts that the first versions kept in one folder for all messages.
func (st *storage) loose(ctx context.Context, messages []stored) (map[string][]gjson.Result, error) {
	files, err := st.files(ctx, filepath.Join(st.root, "part"), false)
	if err != nil || len(files) == 0 || len(messages) == 0 {
		return nil, err
	}
	of := map[string][]gjson.Result{}
	for _, f := range files {
		if v, ok := st.read(f.path); ok {
			id := jsonl.Text(v.Get("messageID"))
			of[id] = append(of[id], v)
		}
	}
	return of, nil
}

// read reads a file. Damage is reported; a missing file was deleted meanwhile.
func (st *storage) read(path string) (gjson.Result, bool) {
	file, err := core.OpenRegular(path)
	if err != nil {
		return gjson.Result{}, false
	}
	defer file.Close() //nolint:errcheck // it was only read
	text, err := io.ReadAll(io.LimitReader(file, core.MaxValueBytes+1))
	if err != nil {
		st.problem(0, err.Error())
		return gjson.Result{}, false
	}
	if len(text) > core.MaxValueBytes {
		st.problem(0, path+": larger than "+humanize.IBytes(core.MaxValueBytes)+", skipped")
		return gjson.Result{}, false
	}
	v, ok := object(text)
	if !ok {
		st.problem(0, path+": damaged: not a JSON object, skipped")
	}
	return v, ok
}
