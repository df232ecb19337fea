package soak

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"strings"
	"sync"

	"coppice/backend/core"
	"coppice/backend/sqlite"
)

// The kinds of acknowledged data.
const (
	kindText  = "text"  // the text of a message
	kindLabel = "label" // the label of a turn
)

// journal holds the acknowledged data, in memory and in a file outside the library.
type journal struct {
	mu    sync.Mutex
	file  *os.File
	acked map[string]string // the kind of each text and label that the library must have
	seen  map[string]string // the content hash of each message found so far, by its uid
	total int               // the number of messages acknowledged since the start, in all libraries
	freed int               // the number of times that texts were released
}

func newJournal(path string) (*journal, error) {
	file, err := os.Create(path)
	return &journal{file: file, acked: map[string]string{}, seen: map[string]string{}}, err
}

// ack records texts that a process has acknowledged.
func (j *journal) ack(kind string, texts ...string) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	for _, text := range texts {
		j.acked[text] = kind
		if kind == kindText {
			j.total++
		}
		if err := json.NewEncoder(j.file).Encode([]string{kind, text}); err != nil {
			return err
		}
	}
	return nil
}

// release removes texts from the journal before they are removed from the library.
func (j *journal) release(texts ...string) {
	j.mu.Lock()
	defer j.mu.Unlock()
	for _, text := range texts {
		delete(j.acked, text)
	}
	j.freed++
	clear(j.seen) // some of these are removed with their session; the next check finds the others again
}

// releases returns the number of times that texts were released.
func (j *journal) releases() int {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.freed
}

// snapshot returns what is acknowledged now.
func (j *journal) snapshot() map[string]string {
	j.mu.Lock()
	defer j.mu.Unlock()
	return maps.Clone(j.acked)
}

// found is the contents of a library.
type found struct {
	texts map[string]string // kinds
	uids  map[string]string // content hashes of messages
}

// read returns the contents of a library, including its trash.
func read(ctx context.Context, path string) (found, error) {
	f := found{texts: map[string]string{}, uids: map[string]string{}}
	db, err := sqlite.Open(ctx, path, sqlite.Options{})
	if err != nil {
		return f, err
	}
	defer db.Close()
	for _, trash := range []bool{false, true} {
		sessions, err := db.Sessions(ctx, core.SessionFilter{Children: true, Trash: trash})
		if err != nil {
			return f, err
		}
		for _, s := range sessions {
			if err := f.session(ctx, db, s.ID); err != nil {
				return f, err
			}
		}
	}
	return f, nil
}

func (f found) session(ctx context.Context, db *sqlite.DB, id string) error {
	for m, err := range db.Messages(ctx, id) {
		if err != nil {
			return err
		}
		content, err := json.Marshal(m.Parts)
		if err != nil {
			return err
		}
		f.uids[m.UID] = core.Hash(content)
		for _, p := range m.Parts {
			f.texts[p.Text] = kindText
		}
	}
	labels, err := db.Labels(ctx, id)
	for _, l := range labels {
		f.texts[l.Text] = kindLabel
	}
	return err
}

// missing returns the acknowledged texts that a library does not have, and the messages whose content has changed.
func missing(acked, seen map[string]string, now found) (lost []string) {
	for text, kind := range acked {
		if now.texts[text] != kind {
			lost = append(lost, fmt.Sprintf("%s %.60q", kind, text))
		}
	}
	for uid, hash := range seen {
		if now.uids[uid] != hash {
			lost = append(lost, fmt.Sprintf("message %s: its content is not what it was", uid))
		}
	}
	return lost
}

// verify compares the library with the journal.
func (j *journal) verify(ctx context.Context, path string) ([]string, error) {
	now, err := read(ctx, path)
	if err != nil {
		return nil, err
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	lost := missing(j.acked, j.seen, now)
	j.seen = now.uids
	return lost, nil
}

// close closes the file of the journal.
func (j *journal) close() error { return j.file.Close() }

// texts returns n texts that no other message has.
func texts(mark string, n int, length func() int) []string {
	all := make([]string, n)
	for i := range all {
		all[i] = fmt.Sprintf("%s-%d %s", mark, i, strings.Repeat("lorem ipsum ", length()))
	}
	return all
}

var errDamaged = errors.New("the library is damaged")
