package archive

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"coppice/backend/core"
)

// lines reads coppice.lines.
type lines struct {
	text
	tell report
	take func(d *draft) bool // takes a sound session; false: stop
}

// anyLine is one line. Its field determines its type: format for the header of a session, uid for a message, else
// record, blob or what a run left.
type anyLine struct {
	Format *string          `json:"format"`
	UID    *string          `json:"uid"`
	Record *json.RawMessage `json:"record"`
	Blob   *json.RawMessage `json:"blob"`

	State    *json.RawMessage `json:"state"`
	Run      *json.RawMessage `json:"run"`
	Request  *json.RawMessage `json:"request"`
	Approval *json.RawMessage `json:"approval"`
	Exec     *json.RawMessage `json:"toolExecution"`
	Change   *json.RawMessage `json:"fileChange"`
	Draft    *json.RawMessage `json:"draft"`
	Wake     *json.RawMessage `json:"wake"`
	Copied   *json.RawMessage `json:"copiedState"`
	Restore  *json.RawMessage `json:"restore"`
	Queued   *json.RawMessage `json:"queuedMessage"`

	Checkpoint *json.RawMessage `json:"checkpoint"`
}

// blobLine is the beginning of a line with a blob, up to the blob itself. Such a line may be longer than maxValue, and is never held whole.
const blobLine = `{"blob":`

// read reads the sessions from the position of the text.
func (r *lines) read(ctx context.Context) error {
	var d *draft
	var broken *problem // the line before is no JSON
	enough := false
	err := eachLine(ctx, r.text, r.size, func(at int64, line []byte) error {
		if broken != nil {
			if err := d.spoil(broken); err != nil {
				return err
			}
			broken = nil
		}
		if string(line) == blobLine { // it is read when it is needed
			if d == nil {
				d = &draft{at: at}
			}
			return nil
		}
		var l anyLine
		misfit := parse(at, line, &l)
		if misfit != nil || l.Format == nil {
			if d == nil {
				d = &draft{at: at}
			}
			if f, ok := errors.AsType[*problem](misfit); ok && !json.Valid(line) {
				broken = f // the file may end in the middle of it
				return nil
			}
			return d.spoil(r.line(d, at, line, l, misfit))
		}
		if d != nil && !r.finish(d, at) {
			enough = true
			return errStop
		}
		var err error
		d, err = r.open(at, line)
		return err
	})
	if err != nil || enough || d == nil {
		return err
	}
	end := r.size
	if broken != nil {
		if end, err = r.cut(d, broken); err != nil {
			return err
		}
	}
	r.checkEnd(d, end)
	if !r.finish(d, end) {
		return errStop
	}
	return nil
}

// cut returns where the session ends if the last line of the file is broken: before that line if the file ends in the middle of it. A
// broken line that is whole spoils the session.
func (r *lines) cut(d *draft, broken *problem) (int64, error) {
	var last [1]byte
	if _, err := r.data.ReadAt(last[:], r.size-1); err != nil && !errors.Is(err, io.EOF) {
		return 0, &readError{err}
	}
	if last[0] == '\n' || !d.found {
		return r.size, d.spoil(broken)
	}
	return broken.at, nil
}

// checkEnd reports that the file ends in the middle of its last session. What comes before the end is imported, because the rest can be
// added later: messages that are there already stay as they are.
func (r *lines) checkEnd(d *draft, end int64) {
	count := d.planner.Skeleton.Tally().Messages
	if d.problem != nil || !d.found || end == r.size && count >= d.session.MessageCount || count == 0 && d.session.MessageCount > 0 {
		return
	}
	r.tell(end, fmt.Sprintf("%s: the file ends in the middle; %d of its %d messages are there", d.name(), count, d.session.MessageCount))
	d.session.MessageCount = count
}

// parse reads a line as JSON.
func parse(at int64, line []byte, to any) error {
	err := within(line)
	if err == nil {
		err = json.Unmarshal(line, to)
	}
	err = wrong(err, at)
	if f, ok := errors.AsType[*problem](err); ok {
		f.misfit = true // the next line can be read whatever this one contains
	}
	return err
}

// open begins a session with its header. A header of another version ends the reading.
func (r *lines) open(at int64, line []byte) (*draft, error) {
	d := &draft{at: at}
	var h struct {
		header
		Session   session          `json:"session"`
		Labels    []core.Label     `json:"labels"`
		Aliases   []core.Alias     `json:"aliases"`
		Bookmarks []core.Bookmark  `json:"bookmarks"`
		Hidden    []core.HiddenTop `json:"hidden"`
	}
	if err := parse(at, line, &h); err != nil {
		return d, d.spoil(err)
	}
	if err := h.check(); err != nil {
		return d, err
	}
	if h.Format != formatLines {
		d.refuse(at, "the header of format %s stands between lines", h.Format)
		return d, nil
	}
	d.sawSession(at, h.Session)
	d.labels, d.aliases, d.bookmarks, d.hidden = h.Labels, h.Aliases, h.Bookmarks, h.Hidden
	return d, nil
}

// line checks a line that is not a header.
func (r *lines) line(d *draft, at int64, line []byte, l anyLine, misfit error) error {
	switch {
	case misfit != nil:
		return misfit
	case l.UID != nil:
		var m core.Message
		misfit = parse(at, line, &m)
		return d.checkMessage(at, m, misfit)
	case l.Record != nil:
		var record core.Record
		misfit = parse(at, *l.Record, &record)
		return d.checkRecord(at, record, misfit)
	case l.Blob != nil:
	case l.hasRunItem():
		d.hasRuns = true
	default:
		r.tell(at, d.name()+": a line that is unknown to this version is left out")
	}
	return nil
}

// finish passes a session on, or reports why not. It returns false if no more are wanted.
func (r *lines) finish(d *draft, end int64) bool {
	if tally := d.planner.Skeleton.Tally(); tally.Messages < d.session.MessageCount {
		d.refuse(d.at, "%d of its %d messages are there", tally.Messages, d.session.MessageCount)
	}
	if f := d.verdict(); f != nil {
		r.tell(f.at, f.message)
		return true
	}
	from := text{data: r.data, size: r.size, at: d.at}
	d.messages = linesOf[core.Message](from, end, func(l anyLine, line []byte) []byte { return onlyIf(l.UID != nil, line) })
	d.records = linesOf[core.Record](from, end, func(l anyLine, _ []byte) []byte { return value(l.Record) })
	d.blobs = blobLines(from, end)
	if d.hasRuns {
		d.runs = runLines(from, end)
	}
	return r.take(d)
}

func onlyIf(wanted bool, line []byte) []byte {
	if !wanted {
		return nil
	}
	return line
}

func value(raw *json.RawMessage) []byte {
	if raw == nil {
		return nil
	}
	return *raw
}

// linesOf returns the list of what pick finds in the lines up to end; pick returns nil for other lines.
func linesOf[T any](from text, end int64, pick func(l anyLine, line []byte) []byte) list[T] {
	return func(ctx context.Context, take func(int64, T, error) error) error {
		return eachLine(ctx, from, end, func(at int64, line []byte) error {
			if string(line) == blobLine {
				return nil
			}
			var l anyLine
			if err := parse(at, line, &l); err != nil {
				return err
			}
			found := pick(l, line)
			if found == nil || l.Format != nil {
				return nil
			}
			var v T
			misfit := parse(at, found, &v)
			return take(at, v, misfit)
		})
	}
}

// runLines returns the run items in the lines up to end.
func runLines(from text, end int64) runList {
	return func(ctx context.Context, take func(int64, runKind, json.RawMessage, error) error) error {
		return eachLine(ctx, from, end, func(at int64, line []byte) error {
			if string(line) == blobLine {
				return nil
			}
			var l anyLine
			if err := parse(at, line, &l); err != nil {
				return err
			}
			if l.Format != nil || l.UID != nil || l.Record != nil || l.Blob != nil || !l.hasRunItem() {
				return nil
			}
			kind, raw := l.runItem()
			return take(at, kind, raw, nil)
		})
	}
}

// blobLines returns the list of the blobs in the lines up to end.
func blobLines(from text, end int64) blobList {
	return func(ctx context.Context, take func(int64, blob, error) error) error {
		return eachLine(ctx, from, end, func(at int64, line []byte) error {
			t := text{data: from.data, size: from.size, at: at + int64(len(blobLine))}
			if string(line) != blobLine { // maybe written by another program
				var l anyLine
				if err := parse(at, line, &l); err != nil || l.Blob == nil || l.UID != nil || l.Record != nil || l.Format != nil {
					return err
				}
				t = text{data: bytes.NewReader(*l.Blob), size: int64(len(*l.Blob))}
			}
			b, err := t.blob(true)
			if f, ok := errors.AsType[*problem](err); ok {
				f.misfit = true // the next line can be read whatever this one contains
			} else if err != nil {
				return err
			}
			return take(at, b, err)
		})
	}
}

// eachLine iterates over the non-empty lines up to end. Of a line that begins with blobLine it passes on only that
// beginning.
func eachLine(ctx context.Context, t text, end int64, take func(at int64, line []byte) error) error {
	section := t.section(t.at)
	from := bufio.NewReaderSize(section, 256<<10)
	for at := t.at; at < end; {
		if err := ctx.Err(); err != nil {
			return err
		}
		line, length, err := nextLine(from, section)
		if err != nil && !errors.Is(err, io.EOF) {
			return wrong(err, at)
		}
		if len(line) > 0 {
			if err := take(at, line); err != nil {
				return err
			}
		}
		at += length
		if err != nil {
			break
		}
	}
	return nil
}

// nextLine reads a line and trims its white space.
func nextLine(from *bufio.Reader, section *section) (line []byte, length int64, err error) {
	section.refill()
	if start, _ := from.Peek(len(blobLine)); string(start) != blobLine {
		line, err = from.ReadBytes('\n')
		return bytes.TrimSpace(line), int64(len(line)), err
	}
	for {
		section.refill()
		piece, err := from.ReadSlice('\n')
		length += int64(len(piece))
		if !errors.Is(err, bufio.ErrBufferFull) {
			return []byte(blobLine), length, err
		}
	}
}
