package archive

import (
	"bytes"
	"context"
	"embed"
	"fmt"
	"io/fs"
	"iter"

	"coppice/backend/core"
)

// library holds the sample sessions, in our own format.
//
//go:embed samples/*.json
var library embed.FS

// sampleAgeMs is the age of the newest message of the samples.
const sampleAgeMs = 6 * 60 * 1000

// Samples returns a small library to explore, a parent before its children: eight sessions written for Coppice, and one
// of a subagent. All times are moved so that the newest message is six minutes older than now (Unix milliseconds). Ids
// stay the same, so loading them again adds nothing.
func Samples(now int64) ([]core.Incoming, error) {
	sessions := []core.Incoming{}
	files, err := fs.Glob(library, "samples/*.json")
	if err != nil {
		return nil, core.Wrap(core.Internal, err, "find the samples")
	}
	newest := int64(0)
	for _, name := range files {
		found, err := sample(name)
		if err != nil {
			return nil, core.Wrap(core.Internal, err, "read the sample %s", name)
		}
		for _, in := range found {
			newest = max(newest, in.Session.UpdatedAtMs)
		}
		sessions = append(sessions, found...)
	}
	for i := range sessions {
		move(&sessions[i], now-sampleAgeMs-newest)
	}
	return sessions, nil
}

func sample(name string) ([]core.Incoming, error) {
	data, err := library.ReadFile(name)
	if err != nil {
		return nil, err
	}
	var problem error
	file := core.SourceFile{
		Path: name, SizeBytes: int64(len(data)), Data: bytes.NewReader(data),
		Problem: func(line int64, message string) { problem = fmt.Errorf("line %d: %s", line, message) },
	}
	found := []core.Incoming{}
	for in, err := range Read(context.Background(), file) {
		if err != nil {
			return nil, err
		}
		found = append(found, in)
	}
	return found, problem
}

// move shifts all times of a session.
func move(in *core.Incoming, byMs int64) {
	s := &in.Session
	for _, at := range []*int64{&s.CreatedAtMs, &s.UpdatedAtMs, &s.PinnedAtMs, &s.ArchivedAtMs, &s.DeletedAtMs} {
		if *at != 0 {
			*at += byMs
		}
	}
	for i := range in.Labels {
		in.Labels[i].CreatedAtMs += byMs
	}
	in.Messages = moved(in.Messages, byMs)
}

func moved(messages iter.Seq2[core.IncomingMessage, error], byMs int64) iter.Seq2[core.IncomingMessage, error] {
	return func(yield func(core.IncomingMessage, error) bool) {
		for m, err := range messages {
			m.CreatedAtMs += byMs
			if !yield(m, err) {
				return
			}
		}
	}
}
