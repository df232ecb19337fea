package sqlite

import (
	"bytes"
	"math/rand/v2"
	"os"
	"testing"
	"time"

	"coppice/backend/core"
	"coppice/backend/sqlite/internal/store"
	"coppice/backend/sqlite/internal/tables"
)

// TestLogIsCopiedBesideTheWriter writes less than makes the writer itself copy the log.
func TestLogIsCopiedBesideTheWriter(t *testing.T) {
	db := openTest(t)
	before := sizeOf(t, db)
	noise := make([]byte, 4<<20)
	rand.NewChaCha8([32]byte{}).Read(noise) //nolint:errcheck // never fails
	err := db.library.WriteBulk(t.Context(), func(in *store.Txn) error {
		return tables.StoreBlob(t.Context(), in, &core.Blob{Hash: core.Hash(noise), Data: noise})
	})
	check(t, err)
	for end := time.Now().Add(time.Minute); sizeOf(t, db) < before+int64(len(noise)); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("what was written still stands in the log alone")
		}
	}
	b, err := db.Blob(t.Context(), core.Hash(noise))
	check(t, err)
	if !bytes.Equal(b.Data, noise) {
		t.Error("the content is another one")
	}
}

func sizeOf(t *testing.T, db *DB) int64 {
	t.Helper()
	info, err := os.Stat(db.FilePath())
	check(t, err)
	return info.Size()
}
