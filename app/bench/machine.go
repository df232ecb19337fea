package main

import (
	"bytes"
	"context"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"coppice/backend/core"
	"coppice/backend/importer/claudecode"
)

// peerBuild is how long FTS5 took, in the same driver, to index peerBytes of the texts of the samples, one copy after the other, on the
// machine that the peer was measured on.
const (
	peerBuild = 2200 * time.Millisecond
	peerBytes = 64_500_000
)

// here returns the peer's figures as they would be at the speed of this machine, which builds the same index in a time of its own, and says how fast it is.
func (p peer) here(ctx context.Context, paths []string, folder string) (peer, string, error) {
	texts, err := textsOf(ctx, paths)
	if err != nil {
		return p, "", err
	}
	db, err := sql.Open("sqlite", filepath.Join(folder, "speed.db")+"?_pragma=journal_mode(WAL)&_pragma=synchronous(NORMAL)")
	if err != nil {
		return p, "", err
	}
	defer db.Close()
	if err := putTexts(ctx, db, texts); err != nil {
		return p, "", err
	}
	built := &sample{run: func() error { return buildIndex(ctx, db) }}
	if err := alternate(ctx, 3, built); err != nil {
		return p, "", err
	}
	factor := float64(built.median()) / float64(peerBuild)
	for _, d := range []*time.Duration{&p.cold, &p.again, &p.words, &p.substring, &p.listed} {
		*d = time.Duration(float64(*d) * factor)
	}
	return p, fmt.Sprintf("an index that took %s there takes %s here", show(peerBuild), show(built.median())), nil
}

// textsOf reads what is said, asked of tools and answered by them.
func textsOf(ctx context.Context, paths []string) ([]string, error) {
	var texts []string
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		file := core.SourceFile{
			Path: path, SizeBytes: int64(len(data)), Data: bytes.NewReader(data), Problem: func(int64, string) {}, Progress: func(int64) {},
		}
		for in, err := range claudecode.Format().Read(ctx, file) {
			if err != nil {
				return nil, err
			}
			for m, err := range in.Messages {
				if err != nil {
					return nil, err
				}
				for i := range m.Parts {
					if text := m.Parts[i].PlainText(); text != "" && m.Parts[i].Type != core.PartReasoning {
						texts = append(texts, text)
					}
				}
			}
		}
	}
	return texts, nil
}

func putTexts(ctx context.Context, db *sql.DB, texts []string) error {
	if _, err := db.ExecContext(ctx, `CREATE TABLE texts (id INTEGER PRIMARY KEY, text TEXT)`); err != nil {
		return err
	}
	in, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer in.Rollback() // after a commit it does nothing
	put, err := in.PrepareContext(ctx, `INSERT INTO texts (text) VALUES (?)`)
	if err != nil {
		return err
	}
	defer put.Close()
	for written := 0; written < peerBytes; {
		for _, text := range texts {
			if _, err := put.ExecContext(ctx, text); err != nil {
				return err
			}
			if written += len(text); written >= peerBytes {
				break
			}
		}
	}
	return in.Commit()
}

func buildIndex(ctx context.Context, db *sql.DB) error {
	for _, query := range []string{
		`DROP TABLE IF EXISTS words`,
		`CREATE VIRTUAL TABLE words USING fts5(text, content='texts', content_rowid='id', tokenize='unicode61')`,
		`INSERT INTO words (words) VALUES ('rebuild')`,
		`INSERT INTO words (words) VALUES ('optimize')`,
	} {
		if _, err := db.ExecContext(ctx, query); err != nil {
			return err
		}
	}
	return nil
}
