package archive

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"coppice/backend/core"
)

// document reads a coppice.session or a coppice.archive.
type document struct {
	text
	tell report
	take func(d *draft) bool // takes a sound session; false: stop
}

// archive reads an archive's sessions. A damaged one is reported, and reading continues at the next one.
func (r *document) archive(ctx context.Context) error {
	return r.members(func(name string) error {
		if name != "sessions" {
			return r.skip()
		}
		return r.sessions(ctx)
	})
}

func (r *document) sessions(ctx context.Context) error {
	if next, err := r.peek(""); err != nil || next != '[' {
		if err != nil {
			return err
		}
		return r.misfit("a list of sessions is expected")
	}
	r.at++
	for {
		next, err := r.peek(",")
		if err != nil {
			return err
		}
		if next == ']' {
			r.at++
			return nil
		}
		start := r.at
		if err := r.session(ctx); err != nil {
			if err := r.resume(start, err); err != nil {
				return err
			}
		}
	}
}

// errReported ends the reading of a file whose damage is already reported.
var errReported = errors.New("reported")

// resume skips to the session after a damaged one. Files that Coppice wrote have each session on its own line; without
// such a line, the rest is lost.
func (r *document) resume(start int64, cause error) error {
	if _, ok := errors.AsType[*problem](cause); !ok {
		return cause
	}
	at, err := r.find([]byte("\n{\"session\":"), start)
	if err != nil {
		return err
	}
	if at < 0 {
		return errReported
	}
	r.at = at + 1
	return nil
}

// find returns the offset of the first occurrence of the bytes at or after from, or -1.
func (t *text) find(what []byte, from int64) (int64, error) {
	buf := make([]byte, 64<<10)
	for at := from; at < t.size; {
		chunk := buf[:min(int64(len(buf)), t.size-at)]
		n, err := t.data.ReadAt(chunk, at)
		if n < len(chunk) && err != nil {
			return -1, &readError{err}
		}
		if i := bytes.Index(chunk, what); i >= 0 {
			return at + int64(i), nil
		}
		if len(chunk) < len(buf) {
			break
		}
		at += int64(len(buf) - len(what) + 1)
	}
	return -1, nil
}

// session reads one session and passes it on, or reports why not. An error means that what follows cannot be read from
// here.
func (r *document) session(ctx context.Context) error {
	if _, err := r.peek(""); err != nil {
		return err
	}
	d := &draft{at: r.at}
	err := d.spoil(r.members(func(name string) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		return d.spoil(r.member(ctx, d, name))
	}))
	if err != nil && d.problem == nil {
		return err
	}
	if f := d.verdict(); f != nil {
		r.tell(f.at, f.message)
		return err
	}
	if !r.take(d) {
		return errStop
	}
	return nil
}

// member reads one member of a session. Long lists are read once, to check them, and the draft records where they are.
func (r *document) member(ctx context.Context, d *draft, name string) error {
	if _, err := r.peek(""); err != nil {
		return err
	}
	list := r.text // a copy that stays here
	switch name {
	case "format", "version", "generator", "exportedAtMs", "branches":
		return r.skip()
	case "session":
		var s session
		err := r.value(&s)
		if err == nil {
			d.sawSession(list.at, s)
		}
		return err
	case "labels":
		return r.value(&d.labels)
	case "aliases":
		return r.value(&d.aliases)
	case "bookmarks":
		return r.value(&d.bookmarks)
	case "hidden":
		return r.value(&d.hidden)
	case "messages":
		d.messages = listAt[core.Message](list)
		return each(ctx, &r.text, d.checkMessage)
	}
	return r.rest(ctx, d, name)
}

func (r *document) rest(ctx context.Context, d *draft, name string) error {
	switch name {
	case "records":
		d.records = listAt[core.Record](r.text)
		return each(ctx, &r.text, d.checkRecord)
	case "blobs":
		d.blobs = blobsAt(r.text)
		return r.blobs(ctx, false, func(int64, blob, error) error { return nil })
	}
	if kind, ok := kindOfList(name); ok {
		d.addRuns(kind, listAt[json.RawMessage](r.text))
		return each(ctx, &r.text, func(int64, json.RawMessage, error) error { return nil }) // yieldRunItems reports misfits
	}
	return r.unknown(d, name)
}

// unknown skips a member that this version does not know, and reports it unless it is empty.
func (r *document) unknown(d *draft, name string) error {
	at, empty := r.at, true
	next, err := r.peek("")
	if err != nil {
		return err
	}
	if next != '[' {
		empty, err = false, r.skip()
	} else {
		err = r.elements(func(_ int64, decode func(any) error) error {
			empty = false
			return decode(new(any))
		})
	}
	if err == nil && !empty {
		r.tell(at, fmt.Sprintf("%s: %q is unknown to this version; it is left out", d.name(), core.Preview(name, 60)))
	}
	return err
}
