package main

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"coppice/backend/core"
	"coppice/backend/sqlite"
)

// measureAppend compares one durable message at the end of a long session with one at the end of a short session, with
// the same rows in a bare database, and with a session that is stored as one JSON file and rewritten at each step.
func measureAppend(ctx context.Context, p plan, folder string) ([]row, error) {
	db, err := openLibrary(ctx, folder, "append")
	if err != nil {
		return nil, err
	}
	defer db.Close()
	long := p.size(100_000)
	inShort, err := appender(ctx, db, 100)
	if err != nil {
		return nil, err
	}
	inLong, err := appender(ctx, db, long)
	if err != nil {
		return nil, err
	}
	bare, closeBare, err := bareWrite(ctx, filepath.Join(folder, "bare.db"))
	if err != nil {
		return nil, err
	}
	defer closeBare()
	if err := alternate(ctx, 400, inShort, inLong, bare); err != nil {
		return nil, err
	}
	rows := []row{
		compare(fmt.Sprintf("append one durable message to %d", long), inLong, "to 100:", inShort, 1.5),
		compare(fmt.Sprintf("append one durable message to %d", long), inLong, "the same five rows, bare:", bare, 2.5),
	}
	for _, n := range []int{100, 10_000} {
		rewrite, err := jsonRewriter(filepath.Join(folder, "session.json"), p.size(n))
		if err != nil {
			return rows, err
		}
		if err := alternate(ctx, 20, rewrite); err != nil {
			return rows, err
		}
		rows = append(rows, compare(fmt.Sprintf("the same as one JSON file of %d, rewritten", p.size(n)), rewrite, "append:", inLong, 0))
	}
	return rows, nil
}

func appender(ctx context.Context, db *sqlite.DB, n int) (*sample, error) {
	id, err := addChain(ctx, db, fmt.Sprintf("append to %d", n), n)
	if err != nil {
		return nil, err
	}
	next := n
	return &sample{run: func() error {
		_, err := db.Append(ctx, id, message(next))
		next++
		return err
	}}, nil
}

// bareWrite returns a sample of the least work that one durable message of a tree needs: a row with two indexes, the
// tip of its branch, the counts and the cost of its session, and an entry in the queue of the index. It uses one
// prepared statement each, in a file with pages of the same size.
func bareWrite(ctx context.Context, path string) (*sample, func() error, error) {
	db, err := sql.Open("sqlite", "file:"+path+"?_pragma=page_size(8192)&_pragma=journal_mode(WAL)&_pragma=synchronous(FULL)&_txlock=immediate")
	if err != nil {
		return nil, nil, fmt.Errorf("open %s: %w", path, err)
	}
	db.SetMaxOpenConns(1)
	const schema = `CREATE TABLE m (id INTEGER PRIMARY KEY, branch INTEGER, depth INTEGER, uid TEXT, body TEXT);
		CREATE UNIQUE INDEX m_place ON m (branch, depth); CREATE UNIQUE INDEX m_uid ON m (uid);
		CREATE TABLE b (id INTEGER PRIMARY KEY, tip INTEGER); INSERT INTO b VALUES (1, 0);
		CREATE TABLE s (id INTEGER PRIMARY KEY, messages INTEGER); INSERT INTO s VALUES (1, 0);
		CREATE TABLE a (id INTEGER PRIMARY KEY, tally BLOB); INSERT INTO a VALUES (1, x'00');
		CREATE TABLE q (message INTEGER PRIMARY KEY);`
	if _, err := db.Exec(schema); err != nil {
		return nil, nil, fmt.Errorf("make the tables: %w", err)
	}
	var statements []*sql.Stmt
	for _, query := range []string{
		`INSERT INTO m (branch, depth, uid, body) VALUES (1, ?1, ?2, ?3)`, `UPDATE b SET tip = ?1 WHERE id = 1`,
		`UPDATE s SET messages = messages + 1 WHERE id = 1`, `UPDATE a SET tally = ?1 WHERE id = 1`,
		`INSERT INTO q VALUES (?1)`,
	} {
		statement, err := db.Prepare(query)
		if err != nil {
			return nil, nil, fmt.Errorf("prepare %s: %w", query, err)
		}
		statements = append(statements, statement)
	}
	i := 0
	return &sample{run: func() error {
		in, err := db.BeginTx(ctx, nil)
		if err != nil {
			return err
		}
		defer in.Rollback() // does nothing after a commit
		i++
		for n, values := range [][]any{{i, uid(i), text}, {i}, {}, {text[:30]}, {i}} {
			if _, err := in.StmtContext(ctx, statements[n]).ExecContext(ctx, values...); err != nil {
				return err
			}
		}
		return in.Commit()
	}}, db.Close, nil
}

// jsonRewriter stores a session as many tools do: every step writes the whole session to a temporary file, syncs it and
// renames it.
func jsonRewriter(path string, n int) (*sample, error) {
	messages := make([]core.Message, n)
	for i := range messages {
		messages[i] = message(i)
	}
	return &sample{run: func() error {
		messages = append(messages, message(len(messages)))
		data, err := json.MarshalIndent(map[string]any{"id": "s", "messages": messages}, "", "  ")
		if err != nil {
			return err
		}
		f, err := os.Create(path + ".new")
		if err != nil {
			return err
		}
		defer f.Close()
		if _, err := f.Write(data); err != nil {
			return err
		}
		if err := f.Sync(); err != nil {
			return err
		}
		return os.Rename(path+".new", path)
	}}, nil
}
