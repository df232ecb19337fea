package store

import (
	"iter"

	"coppice/backend/sqlite/internal/conn"
)

// Sequence makes a function that yields a sequence whose error, if any, is its last element.
func Sequence[T any](step string, run func(yield func(T) bool) error) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		enough := false
		err := run(func(v T) bool {
			enough = !yield(v, nil)
			return !enough
		})
		if err != nil && !enough {
			var none T
			yield(none, conn.Fail(err, "%s", step))
		}
	}
}
