package main

import (
	"bufio"
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"os"
	"strings"
)

// plainSchema is the schema of the plain importer: messages with their text, and the calls of tools with their results.
// As in other session browsers, the index covers only the text of messages.
const plainSchema = `
	CREATE TABLE messages (id INTEGER PRIMARY KEY, session TEXT, uuid TEXT, parent TEXT, role TEXT, model TEXT, timestamp TEXT, text TEXT);
	CREATE INDEX messages_session ON messages (session, id);
	CREATE UNIQUE INDEX messages_uuid ON messages (session, uuid);
	CREATE TABLE calls (id TEXT, message INTEGER, name TEXT, input TEXT);
	CREATE INDEX calls_message ON calls (message);
	CREATE TABLE results (call TEXT, message INTEGER, content TEXT);
	CREATE INDEX results_message ON results (message);
	CREATE VIRTUAL TABLE words USING fts5(text, content='messages', content_rowid='id', tokenize='unicode61')`

// plainImport is the reference for an import: the simplest program that makes Claude Code sessions readable and
// searchable, with encoding/json, an INSERT for each row and a transaction for each file. It reads one file after the
// other and stores no record, tree, usage or attachment.
func plainImport(ctx context.Context, paths []string, file string) (err error) {
	db, err := sql.Open("sqlite", "file:"+file+"?_pragma=journal_mode(WAL)&_pragma=synchronous(NORMAL)")
	if err != nil {
		return err
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	if _, err := db.ExecContext(ctx, plainSchema); err != nil {
		return fmt.Errorf("create the plain library: %w", err)
	}
	for _, path := range paths {
		if err := plainFile(ctx, db, path); err != nil {
			return fmt.Errorf("import %s: %w", path, err)
		}
	}
	_, err = db.ExecContext(ctx, `PRAGMA wal_checkpoint(TRUNCATE)`)
	return err
}

// plainLine holds the fields of a line that the plain importer reads.
type plainLine struct {
	Type       string `json:"type"`
	UUID       string `json:"uuid"`
	ParentUUID string `json:"parentUuid"`
	SessionID  string `json:"sessionId"`
	Timestamp  string `json:"timestamp"`
	Message    struct {
		Role    string          `json:"role"`
		Model   string          `json:"model"`
		Content json.RawMessage `json:"content"`
	} `json:"message"`
}

// plainBlock is a block of a message's content.
type plainBlock struct {
	Type      string          `json:"type"`
	Text      string          `json:"text"`
	Thinking  string          `json:"thinking"`
	ID        string          `json:"id"`
	Name      string          `json:"name"`
	Input     json.RawMessage `json:"input"`
	ToolUseID string          `json:"tool_use_id"`
	Content   json.RawMessage `json:"content"`
}

func plainFile(ctx context.Context, db *sql.DB, path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback() // does nothing after a commit
	w := &plainWriter{ctx: ctx}
	if err := w.prepare(tx); err != nil {
		return err
	}
	lines := bufio.NewScanner(f)
	lines.Buffer(make([]byte, 0, 1<<20), 64<<20)
	for lines.Scan() {
		var line plainLine
		if json.Unmarshal(lines.Bytes(), &line) != nil || line.UUID == "" || line.Message.Role == "" {
			continue
		}
		if err := w.write(&line); err != nil {
			return err
		}
	}
	if err := lines.Err(); err != nil {
		return err
	}
	return tx.Commit()
}

// plainWriter writes rows through prepared statements.
type plainWriter struct {
	ctx                          context.Context //nolint:containedctx // of one file
	message, index, call, result *sql.Stmt
}

func (w *plainWriter) prepare(tx *sql.Tx) (err error) {
	for _, s := range []struct {
		to    **sql.Stmt
		query string
	}{
		{&w.message, `INSERT OR IGNORE INTO messages (session, uuid, parent, role, model, timestamp, text) VALUES (?, ?, ?, ?, ?, ?, ?)`},
		{&w.index, `INSERT INTO words (rowid, text) VALUES (?, ?)`},
		{&w.call, `INSERT INTO calls (id, message, name, input) VALUES (?, ?, ?, ?)`},
		{&w.result, `INSERT INTO results (call, message, content) VALUES (?, ?, ?)`},
	} {
		if *s.to, err = tx.PrepareContext(w.ctx, s.query); err != nil {
			return err
		}
	}
	return nil
}

func (w *plainWriter) write(line *plainLine) error {
	var text strings.Builder
	var blocks []plainBlock
	var whole string
	if json.Unmarshal(line.Message.Content, &whole) == nil {
		text.WriteString(whole)
	} else if err := json.Unmarshal(line.Message.Content, &blocks); err != nil {
		return nil //nolint:nilerr // content of another shape has no text
	}
	for i := range blocks {
		text.WriteString(blocks[i].Text)
		text.WriteString(blocks[i].Thinking)
	}
	m := &line.Message
	added, err := w.message.ExecContext(w.ctx, line.SessionID, line.UUID, line.ParentUUID, m.Role, m.Model, line.Timestamp, text.String())
	if err != nil {
		return err
	}
	if n, err := added.RowsAffected(); err != nil || n == 0 {
		return err
	}
	id, err := added.LastInsertId()
	if err != nil {
		return err
	}
	if text.Len() > 0 {
		if _, err := w.index.ExecContext(w.ctx, id, text.String()); err != nil {
			return err
		}
	}
	return w.writeBlocks(id, blocks)
}

func (w *plainWriter) writeBlocks(message int64, blocks []plainBlock) (err error) {
	for i := range blocks {
		switch b := &blocks[i]; b.Type {
		case "tool_use":
			_, err = w.call.ExecContext(w.ctx, b.ID, message, b.Name, string(b.Input))
		case "tool_result":
			_, err = w.result.ExecContext(w.ctx, b.ToolUseID, message, string(b.Content))
		}
		if err != nil {
			return err
		}
	}
	return nil
}
