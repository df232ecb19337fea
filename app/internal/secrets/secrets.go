// Package secrets scans the library for secrets in the background. It stores a keyed hash of each and where it occurs, never its text.
package secrets

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"log/slog"
	"time"

	"coppice/app/internal/guard"
	"coppice/backend/core"
	"coppice/backend/render/redact"
	"coppice/backend/sqlite"
)

// Version is raised when the rules find other values: all sessions are scanned again then.
const Version = 1

// keySetting is the setting with the key of the hashes, which is random for each library. So hashes of two libraries cannot be
// compared, nor those of known passwords with the hashes alone.
const keySetting = "secretsKey"

const keyBytes = 32

// Scanner scans sessions.
type Scanner struct {
	db  *sqlite.DB
	key []byte
	// find calls found with each secret of a message. Tests replace it.
	find func(m core.Message, found func(value string))
}

// New returns a scanner of a library.
func New(ctx context.Context, db *sqlite.DB) (*Scanner, error) {
	stored, err := db.Setting(ctx, keySetting)
	if err != nil {
		return nil, err
	}
	key, err := hex.DecodeString(stored)
	if err != nil || len(key) != keyBytes {
		key = make([]byte, keyBytes)
		rand.Read(key) //nolint:errcheck // never fails, see crypto/rand
		if err := db.PutSetting(ctx, keySetting, hex.EncodeToString(key)); err != nil {
			return nil, err
		}
	}
	return &Scanner{db: db, key: key, find: newFind()}, nil
}

// newFind returns the search of the redaction. Its rules are made once, which takes longer than most messages.
func newFind() func(m core.Message, found func(value string)) {
	var report func(value string)
	r := redact.With(redact.Options{OnHit: func(hit redact.Hit) {
		if hit.Kind == redact.Secret {
			report(hit.Value)
		}
	}})
	return func(m core.Message, found func(value string)) {
		report = found
		r.Message(m)
	}
}

// Result is what a scan did.
type Result struct {
	Scanned int64 `json:"scanned"` // sessions
	Failed  int64 `json:"failed"`  // sessions; nothing is known of their secrets
}

// Scan scans the sessions that have changed since their last scan, one after the other, so that it can be stopped and continued at any
// time. A session whose scan fails counts as not scanned. pause, if not nil, is called after each session with the time it took.
func (s *Scanner) Scan(ctx context.Context, progress func(core.Progress), pause func(time.Duration)) (Result, error) {
	var result Result
	scans, err := s.db.UnscannedSessions(ctx, Version)
	if err != nil {
		return result, err
	}
	var failures []error
	for i, scan := range scans {
		began := time.Now()
		err := guard.Run(func() error { return s.session(ctx, scan) })
		switch {
		case ctx.Err() != nil:
			return result, ctx.Err()
		case err != nil:
			result.Failed++
			failures = append(failures, core.Wrap(core.CodeOf(err), err, "scan session %s", scan.SessionID))
		default:
			result.Scanned++
		}
		if progress != nil {
			progress(core.Progress{Done: int64(i) + 1, Total: int64(len(scans))})
		}
		if pause != nil {
			pause(time.Since(began))
		}
	}
	return result, errors.Join(failures...)
}

// session scans a session.
func (s *Scanner) session(ctx context.Context, scan core.SecretScan) error {
	var hits []core.SecretHit
	for m, err := range s.db.Messages(ctx, scan.SessionID) {
		if err == nil {
			err = s.db.Hydrate(ctx, &m)
		}
		if err != nil {
			return err
		}
		hits = append(hits, s.hits(m)...)
	}
	return s.db.StoreSecrets(ctx, scan, Version, hits)
}

// hits returns the distinct secrets of a message.
func (s *Scanner) hits(m core.Message) []core.SecretHit {
	var hits []core.SecretHit
	index := map[string]int{}
	s.find(m, func(value string) {
		if at, ok := index[value]; ok {
			hits[at].Count++
			return
		}
		index[value] = len(hits)
		hits = append(hits, core.SecretHit{UID: m.UID, Hash: s.hash(value), Count: 1})
	})
	return hits
}

// hashBytes is how much of a hash is stored: enough that no two secrets have the same.
const hashBytes = 16

func (s *Scanner) hash(value string) []byte {
	mac := hmac.New(sha256.New, s.key)
	mac.Write([]byte(value))
	return mac.Sum(nil)[:hashBytes]
}

// rest is how long Keep waits after it has scanned everything, so that a session that is being written is not scanned at each step.
const rest = 30 * time.Second

// Keep scans what is new until ctx ends. It works at most half of the time, on one processor. changed is called after sessions were scanned.
func Keep(ctx context.Context, db *sqlite.DB, changed func()) {
	sleep := func(d time.Duration) {
		select {
		case <-ctx.Done():
		case <-time.After(d):
		}
	}
	for sleep(rest); ctx.Err() == nil; sleep(rest) {
		err := guard.Run(func() error {
			s, err := New(ctx, db)
			if err != nil {
				return err
			}
			result, err := s.Scan(ctx, nil, sleep)
			if result.Scanned > 0 {
				changed()
			}
			return err
		})
		if err != nil && ctx.Err() == nil {
			slog.Warn("scanning for secrets", slog.Any("error", err)) // the next attempt may succeed
		}
	}
}

// List returns the distinct secrets, at most limit, and the number of all. Titles are redacted, because they are made of prompts.
func List(ctx context.Context, db *sqlite.DB, limit int64) (found []core.Secret, total int64, err error) {
	found, total, err = db.Secrets(ctx, limit)
	r := redact.New()
	for i := range found {
		for j := range found[i].Places {
			found[i].Places[j].Title = r.Text(found[i].Places[j].Title)
		}
	}
	return found, total, err
}
