package archive

import (
	"context"
	"errors"
	"fmt"
	"iter"

	"coppice/backend/core"
)

// report is called with what is left out, and its offset.
type report func(at int64, message string)

// errStop ends an iteration that was stopped.
var errStop = errors.New("stopped")

// incoming returns a sound session for the library. It reads the file again as far as the library requires.
func (d *draft) incoming(ctx context.Context, r *reading) core.Incoming {
	d.settle(r.report)
	in := core.Incoming{
		Header:   core.Header{Session: d.session, Labels: d.labels, Aliases: d.aliases, Bookmarks: d.bookmarks, Hidden: d.hidden, Keep: true},
		Messages: d.yieldMessages(ctx, r.progress),
		Head:     func() string { return d.session.HeadUID },
		Records:  func(func(core.Record) bool) {},
	}
	if d.records != nil {
		in.Records = d.yieldRecords(ctx)
	}
	if d.runs != nil {
		in.RunItems = d.yieldRunItems(ctx, r.report)
	}
	if d.blobs != nil {
		in.Blobs = d.yieldBlobs(ctx, r.report)
	}
	return in
}

// settle drops references to messages that do not exist.
func (d *draft) settle(tell report) {
	if head := d.session.HeadUID; head != "" && !d.has(head) {
		tell(d.at, fmt.Sprintf("%s: its head %q is no message of it; the last message is taken", d.name(), core.Preview(head, 60)))
		d.session.HeadUID = d.newest
	}
	kept := []core.Label{}
	for _, l := range d.labels {
		if d.has(l.UID) {
			kept = append(kept, l)
			continue
		}
		tell(d.at, fmt.Sprintf("%s: the label %q is on no message of it; it is left out", d.name(), core.Preview(l.Text, 60)))
	}
	d.labels = kept
}

func (d *draft) has(uid string) bool {
	_, ok := d.planner.Placement(uid)
	return ok
}

func (d *draft) yieldMessages(ctx context.Context, progress func(at int64)) iter.Seq2[core.IncomingMessage, error] {
	return func(yield func(core.IncomingMessage, error) bool) {
		if d.messages == nil {
			return
		}
		err := d.messages(ctx, func(at int64, m core.Message, misfit error) error {
			progress(at)
			complete(&m)
			if !yield(core.IncomingMessage{Message: m}, misfit) {
				return errStop
			}
			return misfit
		})
		if err != nil && !errors.Is(err, errStop) {
			yield(core.IncomingMessage{}, again(ctx, err, "messages"))
		}
	}
}

// yieldRecords leaves out what cannot be read: it was readable before, so the file has changed.
func (d *draft) yieldRecords(ctx context.Context) iter.Seq[core.Record] {
	return func(yield func(core.Record) bool) {
		_ = d.records(ctx, func(_ int64, r core.Record, misfit error) error {
			if misfit == nil && !yield(r) {
				return errStop
			}
			return misfit
		})
	}
}

func (d *draft) yieldBlobs(ctx context.Context, tell report) iter.Seq2[core.Blob, error] {
	return func(yield func(core.Blob, error) bool) {
		err := d.blobs(ctx, func(at int64, b blob, misfit error) error {
			if problem := blobProblem(&b, misfit); problem != "" {
				tell(at, d.name()+": "+problem)
				return nil
			}
			if !yield(core.Blob{Hash: b.Hash, MimeType: b.MimeType, Data: b.Data}, nil) {
				return errStop
			}
			return nil
		})
		if err != nil && !errors.Is(err, errStop) {
			yield(core.Blob{}, again(ctx, err, "blobs"))
		}
	}
}

// again returns the error for a failure to read again what could be read before.
func again(ctx context.Context, err error, what string) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if failed := ioFailure(err); failed != nil {
		return failed
	}
	return core.Wrap(core.Invalid, err, "the file changed while its %s were read", what)
}
