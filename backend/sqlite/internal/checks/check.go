// Package checks looks for damage of a library that is open. Run states, requests and checkpoints are checked by
// runs.Store.CheckStates, and app/internal/library joins both.
package checks

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"coppice/backend/core"
	"coppice/backend/sqlite/cryptvfs"
	"coppice/backend/sqlite/internal/activity"
	"coppice/backend/sqlite/internal/conn"
	"coppice/backend/sqlite/internal/packing"
	"coppice/backend/sqlite/internal/parallel"
	"coppice/backend/sqlite/internal/store"
	"coppice/backend/sqlite/internal/tables"
)

// Store is the service that looks for damage.
type Store struct{ *store.Library }

// Check looks for damage and returns what it finds in words; none for a sound library. It reads
// everything: the file's pages, every tree, every body, every content. progress, which may be nil, hears of sessions. The index of
// words is CheckIndex's.
func (db *Store) Check(ctx context.Context, progress func(core.Progress)) ([]string, error) {
	c := &checkup{problems: []string{}, progress: progress, path: db.FilePath()}
	err := db.Read(ctx, func(t *store.Txn) error {
		c.Txn = t
		for _, step := range []func(context.Context) error{c.file, c.facets, c.sessions, c.blobs} {
			if err := c.step(ctx, step); err != nil {
				return err
			}
		}
		return nil
	})
	return c.problems, conn.Fail(err, "check the library %s", db.FilePath())
}

// A batch of messages ends by a count or by the size of the bodies as they are stored.
const (
	checkBatch      = 512
	checkBatchBytes = 4 << 20
)

// checkup is one check on its way through the library.
type checkup struct {
	*store.Txn
	path     string // of the library
	problems []string
	progress func(core.Progress)
	absurd   bool // the session has numbers beyond their limits
}

func (c *checkup) found(format string, args ...any) {
	c.problems = append(c.problems, fmt.Sprintf(format, args...))
}

// step runs a part of the check. Damage that ends it early is one of the problems that it reports.
func (c *checkup) step(ctx context.Context, run func(context.Context) error) error {
	err := run(ctx)
	if conn.IsDamage(err) || core.CodeOf(err) == core.Corrupt {
		c.found("%v", err)
		return nil
	}
	return err
}

// file lets SQLite check pages, indexes and references.
func (c *checkup) file(ctx context.Context) error {
	if err := c.pages(); err != nil {
		return err
	}
	var lines []string
	if err := c.All(ctx, &lines, `PRAGMA integrity_check`); err != nil {
		return err
	}
	if !slices.Equal(lines, []string{"ok"}) {
		for _, line := range lines {
			if !strings.Contains(line, "search_index") { // see CheckIndex
				c.found("the file: %s", line)
			}
		}
	}
	var broken []struct {
		Table string
		Count int64
	}
	if err := c.All(ctx, &broken, `SELECT "table", count(*) AS count FROM pragma_foreign_key_check GROUP BY "table"`); err != nil {
		return err
	}
	for _, b := range broken {
		c.found("the file: %d rows of %s refer to what is not there", b.Count, b.Table)
	}
	var lost int64
	const orphans = `SELECT count(*) FROM messages m LEFT JOIN messages p ON p.id = m.parent AND p.session = m.session
		WHERE m.parent IS NOT NULL AND p.id IS NULL`
	if err := c.Get(ctx, &lost, orphans); err != nil {
		return err
	}
	if lost > 0 {
		c.found("the file: the parents of %d messages are missing", lost)
	}
	return nil
}

// pages looks for pages of an encrypted library that are not as they were written: SQLite stops at the first one.
func (c *checkup) pages() error {
	if !cryptvfs.IsUnlocked(c.path) {
		return nil
	}
	for page, err := range cryptvfs.Verify(c.path) {
		if err != nil {
			return err
		}
		c.found("the file: page %d is damaged or was changed", page)
	}
	return nil
}

// facets compares what sessions can be filtered by with the sessions.
func (c *checkup) facets(ctx context.Context) error {
	const (
		kept    = `SELECT place, source, status, workspace_path, model, count, pinned FROM facets WHERE count <> 0 OR pinned <> 0`
		counted = `SELECT place, source, status, workspace_path, model, count(*), sum(pinned) FROM session_facets GROUP BY 1, 2, 3, 4, 5`
		query   = `SELECT count(*) FROM (SELECT * FROM (` + kept + ` EXCEPT ` + counted + `) UNION ALL SELECT * FROM (` + counted + ` EXCEPT ` + kept + `))`
	)
	var wrong int64
	if err := c.Get(ctx, &wrong, query); err != nil {
		return err
	}
	if wrong > 0 {
		c.found("the numbers of what sessions can be filtered by: %d are wrong", wrong)
	}
	return nil
}

func (c *checkup) sessions(ctx context.Context) error {
	var rows []tables.SessionRow
	if err := c.All(ctx, &rows, `SELECT `+tables.SessionColumns+` FROM sessions s ORDER BY s.key`); err != nil {
		return err
	}
	for i := range rows {
		s := &rows[i]
		if c.progress != nil {
			c.progress(core.Progress{Done: int64(i), Total: int64(len(rows)), Current: s.Title})
		}
		if err := c.step(ctx, func(ctx context.Context) error { return c.session(ctx, s) }); err != nil {
			return err
		}
	}
	if c.progress != nil {
		c.progress(core.Progress{Done: int64(len(rows)), Total: int64(len(rows))})
	}
	return nil
}

func (c *checkup) session(ctx context.Context, s *tables.SessionRow) error {
	sum := activity.NewTally[string]()
	c.absurd = false
	audit, err := c.messages(ctx, s, sum)
	if err != nil {
		return err
	}
	if err := c.activity(ctx, s, sum); err != nil {
		return err
	}
	stored, err := tables.ReadSkeleton(ctx, c.Tx, s.Key)
	if err != nil {
		return core.Wrap(core.Corrupt, err, "session %s", s.ID)
	}
	for _, flaw := range stored.Violations() {
		c.found("session %s: %s", s.ID, flaw)
	}
	if !sameTree(stored, audit.Skeleton()) {
		c.found("session %s: its branches and turns are not those of its messages", s.ID)
	}
	if s.Head.Valid && s.HeadUID == "" {
		c.found("session %s: its head is not one of its messages", s.ID)
	}
	if c.absurd {
		return nil // an older version has added numbers up whose sum means nothing
	}
	return c.counters(ctx, s, audit.Skeleton().Tally())
}

// messages checks the place and the body of every message of a session, and counts them.
func (c *checkup) messages(ctx context.Context, s *tables.SessionRow, sum activity.Tally[string]) (audit *core.Audit, err error) {
	audit = &core.Audit{}
	rows, err := c.Rows(ctx, tables.MessageToCheck, s.Key)
	if err != nil {
		return audit, err
	}
	defer conn.CloseRows(rows, &err)
	batch := make([]checkedMessage, 0, checkBatch)
	look := func() error {
		err := parallel.Each(ctx, len(batch), func(i int) {
			batch[i].look(c.Codec)
		})
		for i := range batch {
			m, row := &batch[i].message, &batch[i].row
			if err := batch[i].err; err != nil {
				c.found("session %s: %v", s.ID, err)
			}
			c.absurd = c.absurd || batch[i].absurd
			activity.TallyMessage(sum, m, 1)
			place := core.Placement{Seq: row.Seq, Turn: row.Turn, Branch: row.Branch, Depth: row.Depth}
			if flaw := audit.Violation(core.Node{UID: m.UID, ParentUID: m.ParentUID, IsPrompt: m.IsPrompt()}, place); flaw != "" {
				c.found("session %s: %s", s.ID, flaw)
			}
		}
		batch = batch[:0]
		return err
	}
	for size := 0; rows.Next(); {
		var m checkedMessage
		if err := rows.StructScan(&m.row); err != nil {
			return audit, err
		}
		if m.body, err = c.Stored(ctx, m.row.Body); err != nil {
			return audit, err
		}
		batch = append(batch, m)
		if size += m.body.Size(); len(batch) == checkBatch || size >= checkBatchBytes {
			if err := look(); err != nil {
				return audit, err
			}
			size = 0
		}
	}
	return audit, look()
}

// hashedRow is a message with the hash of its content.
type hashedRow struct {
	tables.MessageRow
	ContentHash int64 `db:"content_hash"`
}

// checkedMessage is a message as it is stored, and decoded, or what is wrong with it.
type checkedMessage struct {
	row     hashedRow
	body    packing.Stored
	message core.Message
	absurd  bool // its numbers are beyond their limits
	err     error
}

func (m *checkedMessage) look(c *packing.Codec) {
	m.message = m.row.Head()
	m.err = c.Verify(m.body, &m.message, m.row.ContentHash)
	m.absurd = m.message.Bound()
}

// sameTree reports whether two trees have the same branches and turns.
func sameTree(a, b *core.Skeleton) bool {
	sameBranch := func(a, b core.Branch) bool {
		a.CreatedAtMs, b.CreatedAtMs = 0, 0
		return a == b
	}
	return slices.EqualFunc(a.Branches, b.Branches, sameBranch) && slices.Equal(a.Turns, b.Turns)
}

// counters compares a session's totals with its messages.
func (c *checkup) counters(ctx context.Context, s *tables.SessionRow, tally core.Tally) error {
	var same bool
	const query = `SELECT (message_count, step_count, input_tokens, output_tokens, cache_read_tokens, cache_write_tokens, reasoning_tokens) =
			(SELECT ` + tables.Sums + ` FROM messages WHERE session = sessions.key)
		AND cost_nano_usd IS (SELECT ` + tables.SumOfCosts + ` FROM messages WHERE session = sessions.key)
		AND (estimated_cost_nano_usd, unpriced_count) IS (SELECT ` + tables.SumOfEstimates + `, ` + tables.CountOfUnpriced + ` FROM messages WHERE session = sessions.key)
		AND branch_count = ? AND turn_count = ? FROM sessions WHERE key = ?`
	if err := c.Get(ctx, &same, query, tally.Branches, tally.Turns, s.Key); err != nil {
		return err
	}
	if !same {
		c.found("session %s: its counters are not those of its messages", s.ID)
	}
	return nil
}

// activity compares what is kept for statistics with the messages. A session that is not counted yet has nothing to compare.
func (c *checkup) activity(ctx context.Context, s *tables.SessionRow, sum activity.Tally[string]) error {
	var stored []byte
	err := c.Get(ctx, &stored, `SELECT tally FROM activity WHERE session = ?`, s.Key)
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	} else if err != nil {
		return err
	}
	numbered, err := activity.Decode(stored)
	if err != nil {
		return core.Wrap(core.Corrupt, err, "session %s", s.ID)
	}
	names, err := activity.ReadNames(ctx, c.Tx)
	if err != nil {
		return err
	}
	kept := activity.Translate(numbered, func(number int64) string { return names[number] })
	if c.absurd {
		return nil
	}
	if kept.Former {
		kept, sum = kept.WithoutAgents(), sum.WithoutAgents()
	}
	if !maps.Equal(kept.Spent, sum.Spent) || !maps.Equal(kept.Tools, sum.Tools) {
		c.found("session %s: its statistics are not those of its messages", s.ID)
	}
	return nil
}

// blobs checks that contents are what their hashes say, and that none is missing.
func (c *checkup) blobs(ctx context.Context) (err error) {
	rows, err := c.Rows(ctx, tables.BlobColumns+`WHERE b.data IS NOT NULL ORDER BY b.id`)
	if err != nil {
		return err
	}
	defer conn.CloseRows(rows, &err)
	for rows.Next() {
		var row tables.BlobRow
		if err := rows.StructScan(&row); err != nil {
			return err
		}
		b, err := tables.DecodeBlob(c.Txn, &row)
		if err != nil || core.Hash(b.Data) != row.Hash {
			c.found("content %s is damaged", row.Hash)
		}
	}
	return nil
}
