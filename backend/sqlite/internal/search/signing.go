package search

import (
	"context"
	"runtime"
	"slices"

	"coppice/backend/core"
	"coppice/backend/sqlite/internal/conn"
	"coppice/backend/sqlite/internal/packing"
	"coppice/backend/sqlite/internal/parallel"
	"coppice/backend/sqlite/internal/store"
)

// signBatch is the number of messages that get their signatures in one transaction.
const signBatch = 512

// sign computes the signatures that an earlier version did not, in batches, each of which lasts. progress, which may be nil,
// receives the number of messages.
func (db *Store) sign(ctx context.Context, progress func(core.Progress)) error {
	var p core.Progress
	err := db.Read(ctx, func(t *store.Txn) error {
		return t.Get(ctx, &p.Total, `SELECT count(*) FROM search_docs WHERE signature IS NULL`)
	})
	if err != nil || p.Total == 0 {
		return err
	}
	for after := int64(-1); ; {
		docs, err := db.unsigned(ctx, after)
		if err != nil || len(docs) == 0 {
			return err
		}
		after = docs[len(docs)-1].Message
		signatures := make([][]byte, len(docs))
		err = parallel.Each(ctx, runtime.GOMAXPROCS(0), func(worker int) {
			s := newSymbols()
			for i := worker; i < len(docs); i += runtime.GOMAXPROCS(0) {
				signatures[i] = db.signatureOf(ctx, docs[i].Body, s)
			}
		})
		if err != nil {
			return err
		}
		if err := db.storeSignatures(ctx, docs, signatures); err != nil {
			return err
		}
		if p.Done += int64(len(docs)); progress != nil {
			progress(p)
		}
	}
}

// signatureOf returns the signature of a stored body; nil if it cannot be read. A check reports such a message.
func (db *Store) signatureOf(ctx context.Context, stored packing.Stored, s *symbols) []byte {
	body, err := db.Codec.Read(stored)
	if err == nil {
		err = eachPassage(body, WholesOf(ctx, db.Library), func(p passage) bool {
			s.add(p.text)
			return true
		})
	}
	signature := s.signature()
	if err != nil {
		return nil
	}
	return signature
}

// unsigned reads messages of the index without a signature behind one. Message is the number in the index.
func (db *Store) unsigned(ctx context.Context, after int64) (docs []Indexed, err error) {
	err = db.Read(ctx, func(t *store.Txn) error {
		const query = `SELECT d.id, m.content_hash, m.created_at_ms, m.body FROM search_docs d JOIN messages m ON m.id = d.message
			WHERE d.signature IS NULL AND d.id > ? ORDER BY d.id LIMIT ?`
		docs, err = toIndex(ctx, t, query, after, signBatch)
		return err
	})
	return docs, err
}

// storeSignatures stores signatures of messages that have not changed since they were read.
func (db *Store) storeSignatures(ctx context.Context, docs []Indexed, signatures [][]byte) error {
	return db.WriteBulk(ctx, func(t *store.Txn) error {
		return storeSignatures(context.WithoutCancel(ctx), t.Tx, docs, signatures)
	})
}

func storeSignatures(ctx context.Context, t *conn.Tx, docs []Indexed, signatures [][]byte) error {
	const put = `UPDATE search_docs SET signature = ? WHERE id = ? AND signature IS NULL
		AND EXISTS (SELECT 1 FROM messages m WHERE m.id = message AND m.content_hash = ?)`
	for i := range docs {
		if signatures[i] == nil {
			continue
		}
		if _, err := t.Exec(ctx, put, signatures[i], docs[i].Message, docs[i].ContentHash); err != nil {
			return err
		}
	}
	return nil
}

// missigned counts the messages of a batch that have other signatures than those that were read with it.
func (b *indexedBatch) missigned() (n int64) {
	for i := range b.docs {
		if stored := b.docs[i].Signature; len(stored) > 0 && !slices.Equal(stored, b.words.signatures[i]) {
			n++
		}
	}
	return n
}
