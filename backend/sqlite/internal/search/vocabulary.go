package search

import (
	"context"
	"maps"
	"slices"
	"strings"

	"coppice/backend/query"
	"coppice/backend/sqlite/internal/conn"
)

// chunkBytes is what a row of search_words may grow to.
const chunkBytes = 64 << 10

// learnWords adds those words to the vocabulary that are not in it.
func learnWords(ctx context.Context, t *conn.Tx, words map[string]struct{}) error {
	delete(words, query.LongWord)
	last, size := int64(0), chunkBytes
	err := eachChunk(ctx, t, func(id int64, chunk string) bool {
		for word := range strings.Lines(chunk) {
			delete(words, strings.TrimSuffix(word, "\n"))
		}
		last, size = id, len(chunk)
		return len(words) > 0
	})
	if err != nil || len(words) == 0 {
		return err
	}
	return appendWords(ctx, t, slices.Sorted(maps.Keys(words)), last, size)
}

// appendWords fills up the last row, and then new ones.
func appendWords(ctx context.Context, t *conn.Tx, words []string, last int64, size int) error {
	for len(words) > 0 {
		var b strings.Builder
		for len(words) > 0 && size+b.Len() < chunkBytes {
			b.WriteString(words[0])
			b.WriteByte('\n')
			words = words[1:]
		}
		const put = `INSERT INTO search_words (id, words) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET words = words || excluded.words`
		if b.Len() > 0 {
			if _, err := t.Exec(ctx, put, last, b.String()); err != nil {
				return err
			}
		}
		last, size = last+1, 0
	}
	return nil
}

// eachChunk goes through the vocabulary until f has had enough. A chunk is words, each ended by a line feed.
func eachChunk(ctx context.Context, t *conn.Tx, f func(id int64, chunk string) bool) (err error) {
	rows, err := t.Rows(ctx, `SELECT id, words FROM search_words ORDER BY id`)
	if err != nil {
		return err
	}
	defer conn.CloseRows(rows, &err)
	for rows.Next() {
		var id int64
		var chunk string
		if err := rows.Scan(&id, &chunk); err != nil {
			return err
		}
		if !f(id, chunk) {
			return nil
		}
	}
	return nil
}

// maxExpansion is the number of words from which it is no use to ask the index for them: nearly everything has one of them.
const maxExpansion = 1000

// expandPiece returns the words of the vocabulary that may contain a piece; ok is false for too many.
func expandPiece(ctx context.Context, t *conn.Tx, p query.Piece) (words []string, ok bool, err error) {
	if !p.OpenBefore && !p.OpenBehind {
		return []string{p.Word}, true, nil
	}
	err = eachChunk(ctx, t, func(_ int64, chunk string) bool {
		for at := 0; len(words) <= maxExpansion; {
			i := strings.Index(chunk[at:], p.Word)
			if i < 0 {
				return true
			}
			from := strings.LastIndexByte(chunk[:at+i], '\n') + 1
			to := at + i + strings.IndexByte(chunk[at+i:], '\n')
			if fits(p, chunk[from:to]) {
				words = append(words, chunk[from:to])
			}
			at = to
		}
		return false
	})
	return words, len(words) <= maxExpansion, err
}

// fits reports whether a word may contain a piece.
func fits(p query.Piece, word string) bool {
	switch {
	case p.OpenBefore && p.OpenBehind:
		return strings.Contains(word, p.Word)
	case p.OpenBefore:
		return strings.HasSuffix(word, p.Word)
	default:
		return strings.HasPrefix(word, p.Word)
	}
}

// narrow returns what the index must be asked for so that its answer has every message that contains a text, and possibly
// others; empty if the index cannot narrow the search.
func narrow(ctx context.Context, t *conn.Tx, text string) (match string, err error) {
	var all []string
	for _, p := range query.Pieces(text) {
		words, ok, err := expandPiece(ctx, t, p)
		if err != nil {
			return "", err
		}
		if !ok {
			continue
		}
		if p.OpenBefore || p.OpenBehind {
			words = append(words, query.LongWord) // which the vocabulary does not have
		}
		all = append(all, `("`+strings.Join(words, `" OR "`)+`")`)
	}
	return strings.Join(all, " AND "), nil
}
