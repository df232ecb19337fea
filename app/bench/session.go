package main

import (
	"context"
	"fmt"
	"iter"
	"path/filepath"
	"strings"

	"coppice/backend/core"
	"coppice/backend/sqlite"
)

// text has the size of an ordinary message: 400 bytes.
var text = strings.Repeat("The quick brown fox jumps over the lazy dog, and then it rests. ", 6) + "Quite so, no more." // a constant that Go cannot express

const startMs = 1_790_000_000_000

// openLibrary opens a new library in the folder.
func openLibrary(ctx context.Context, folder, name string) (*sqlite.DB, error) {
	return sqlite.Open(ctx, filepath.Join(folder, name+".db"), sqlite.Options{})
}

// message returns message i of a chain, in which every tenth message is a prompt.
func message(i int) core.Message {
	role := core.RoleAssistant
	if i%10 == 0 {
		role = core.RoleUser
	}
	return core.Message{
		UID: uid(i), ParentUID: uid(i - 1), Role: role, Kind: core.KindMessage,
		Parts:       []core.Part{{Type: core.PartText, Text: fmt.Sprintf("%d %s", i, text)}},
		CreatedAtMs: startMs + int64(i)*1000,
	}
}

func uid(i int) string {
	if i < 0 {
		return ""
	}
	return fmt.Sprintf("u%08d", i)
}

// chain yields a chain of n messages.
func chain(n int) iter.Seq2[core.IncomingMessage, error] {
	return func(yield func(core.IncomingMessage, error) bool) {
		for i := range n {
			if !yield(core.IncomingMessage{Message: message(i)}, nil) {
				return
			}
		}
	}
}

// addChain adds a session that is a chain of n messages to the library and returns its id.
func addChain(ctx context.Context, db *sqlite.DB, name string, n int) (string, error) {
	merged, err := core.Merge(ctx, db, core.Incoming{
		Header:   core.Header{Session: core.Session{Source: core.SourceCoppice, SourceID: name, Title: name, CreatedAtMs: startMs}},
		Messages: chain(n),
		Head:     func() string { return uid(n - 1) },
	})
	if err != nil {
		return "", fmt.Errorf("add a session of %d messages: %w", n, err)
	}
	return merged.SessionID, nil
}
