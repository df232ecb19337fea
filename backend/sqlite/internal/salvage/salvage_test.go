package salvage

import (
	"bytes"
	"context"
	"encoding/binary"
	"os"
	"path/filepath"
	"testing"
)

// leafPage makes a page of a table's leaf with rows of an integer and a text.
func leafPage(size, at int, texts ...string) []byte {
	page := make([]byte, size)
	page[at] = tableLeaf
	binary.BigEndian.PutUint16(page[at+3:], uint16(len(texts))) //nolint:gosec // a test
	end := size
	for i, text := range texts {
		record := append([]byte{3, 1, byte(13 + 2*len(text)), byte(i)}, text...)
		cell := append([]byte{byte(len(record)), byte(i + 1)}, record...)
		end -= len(cell)
		copy(page[end:], cell)
		binary.BigEndian.PutUint16(page[at+8+2*i:], uint16(end)) //nolint:gosec // a test
	}
	return page
}

// schemaPage makes a first page that names one table.
func schemaPage(size int, root byte) []byte {
	page := make([]byte, size)
	copy(page, magic)
	binary.BigEndian.PutUint16(page[16:], uint16(size)) //nolint:gosec // a test
	values := []string{"table", "notes", "notes"}
	head, body := []byte{6}, []byte{}
	for _, v := range values {
		head, body = append(head, byte(13+2*len(v))), append(body, v...)
	}
	head, body = append(head, 1, 13+2*1), append(append(body, root), 'x')
	record := append(head, body...)
	cell := append([]byte{byte(len(record)), 1}, record...)
	copy(page[size-len(cell):], cell)
	page[headerBytes] = tableLeaf
	binary.BigEndian.PutUint16(page[headerBytes+3:], 1)
	binary.BigEndian.PutUint16(page[headerBytes+8:], uint16(size-len(cell))) //nolint:gosec // a test
	return page
}

func rowsOf(tb testing.TB, data, log []byte) (rows []Row, f *File) {
	tb.Helper()
	path := filepath.Join(tb.TempDir(), "file.db")
	if err := os.WriteFile(path, data, 0o600); err != nil {
		tb.Fatal(err)
	}
	if log != nil {
		if err := os.WriteFile(path+"-wal", log, 0o600); err != nil {
			tb.Fatal(err)
		}
	}
	f, err := Open(path)
	if err != nil {
		return nil, nil
	}
	defer f.Close() //nolint:errcheck // it only read
	for row, err := range f.Rows(context.Background(), func(int64, int64) {}) {
		if err != nil {
			tb.Fatal(err)
		}
		rows = append(rows, row)
	}
	return rows, f
}

func TestRowsByTable(t *testing.T) {
	t.Parallel()
	data := append(schemaPage(512, 2), leafPage(512, 0, "one", "two")...)
	rows, f := rowsOf(t, data, nil)
	if len(rows) != 2 || len(f.Damage()) != 0 {
		t.Fatalf("rows %v, damage %v", rows, f.Damage())
	}
	if r := rows[1]; r.Owner != "notes" || r.RowID != 2 || r.Values[0] != int64(1) || r.Values[1] != "two" {
		t.Errorf("row %+v", r)
	}
}

func TestRowsWithoutASchema(t *testing.T) {
	t.Parallel()
	data := append(make([]byte, 512), leafPage(512, 0, "one", "two")...)
	data = append(data, leafPage(512, 0, "three", "four")...)
	rows, f := rowsOf(t, data, nil)
	if len(rows) != 4 || rows[0].Owner != "" || len(f.Damage()) == 0 {
		t.Fatalf("rows %v", rows)
	}
}

// TestFreePagesAreNotRead holds that what was deleted stays deleted.
func TestFreePagesAreNotRead(t *testing.T) {
	t.Parallel()
	first := schemaPage(512, 2)
	trunk := make([]byte, 512)
	binary.BigEndian.PutUint32(first[32:], 3) // the freelist
	binary.BigEndian.PutUint32(trunk[4:], 1)
	binary.BigEndian.PutUint32(trunk[8:], 4)
	leaf := leafPage(512, 0, "one")
	leaf[0] = 99 // damage, so that lost pages are looked for
	rows, f := rowsOf(t, bytes.Join([][]byte{first, leaf, trunk, leafPage(512, 0, "deleted")}, nil), nil)
	if len(rows) != 0 || len(f.Damage()) != 1 {
		t.Errorf("rows %v, damage %v", rows, f.Damage())
	}
}

// TestChainsEnd reads a record whose rest is a circle of pages.
func TestChainsEnd(t *testing.T) {
	t.Parallel()
	page := leafPage(512, 0, "one")
	at := int(binary.BigEndian.Uint16(page[8:]))
	copy(page[400:], []byte{0x84, 0x58, 1, 4, 1}) // 600 bytes
	_ = at
	binary.BigEndian.PutUint16(page[8:], 400)
	circle := make([]byte, 512)
	binary.BigEndian.PutUint32(circle, 3)
	rows, f := rowsOf(t, bytes.Join([][]byte{schemaPage(512, 2), page, circle}, nil), nil)
	if len(rows) != 0 || len(f.Damage()) == 0 {
		t.Errorf("rows %v, damage %v", rows, f.Damage())
	}
}

// logOf makes a write-ahead log of frames, the last of which commits.
func logOf(size int, pages map[uint32][]byte, count uint32) []byte {
	log := make([]byte, logHeaderBytes)
	binary.BigEndian.PutUint32(log, logMagic|1)
	binary.BigEndian.PutUint32(log[4:], 3007000)
	binary.BigEndian.PutUint32(log[8:], uint32(size)) //nolint:gosec // a test
	copy(log[16:], "saltsalt")
	sum := checksum(binary.BigEndian, [2]uint32{}, log[:24])
	binary.BigEndian.PutUint32(log[24:], sum[0])
	binary.BigEndian.PutUint32(log[28:], sum[1])
	for n, page := range pages {
		frame := make([]byte, frameHeaderBytes)
		binary.BigEndian.PutUint32(frame, n)
		binary.BigEndian.PutUint32(frame[4:], count)
		copy(frame[8:], "saltsalt")
		sum = checksum(binary.BigEndian, checksum(binary.BigEndian, sum, frame[:8]), page)
		binary.BigEndian.PutUint32(frame[16:], sum[0])
		binary.BigEndian.PutUint32(frame[20:], sum[1])
		log = append(append(log, frame...), page...)
	}
	return log
}

func TestLogCountsMoreThanTheFile(t *testing.T) {
	t.Parallel()
	data := append(schemaPage(512, 2), leafPage(512, 0, "old")...)
	log := logOf(512, map[uint32][]byte{2: leafPage(512, 0, "new")}, 2)
	if rows, _ := rowsOf(t, data, log); len(rows) != 1 || rows[0].Values[1] != "new" {
		t.Errorf("rows %v", rows)
	}
	log[len(log)-1] ^= 1 // its checksum no longer fits
	if rows, _ := rowsOf(t, data, log); len(rows) != 1 || rows[0].Values[1] != "old" {
		t.Errorf("with a damaged log: %v", rows)
	}
}

// FuzzRows reads any bytes as a file and a log: it ends, and yields no more than they can hold.
func FuzzRows(f *testing.F) {
	f.Add(append(schemaPage(512, 2), leafPage(512, 0, "one", "two")...), []byte{})
	f.Add(append(make([]byte, 512), leafPage(512, 0, "one", "two")...), logOf(512, map[uint32][]byte{2: leafPage(512, 0, "new")}, 2))
	f.Fuzz(func(t *testing.T, data, log []byte) {
		rows, _ := rowsOf(t, data, log)
		bytes := 0
		for _, row := range rows {
			for _, v := range row.Values {
				switch v := v.(type) {
				case string:
					bytes += len(v)
				case []byte:
					bytes += len(v)
				}
			}
		}
		// Cells of a page may overlap: each of its at most pageSize/2 pointers may name the same bytes.
		if limit := (len(data) + len(log) + 1) * maxPage; bytes > limit {
			t.Errorf("%d bytes of rows from %d", bytes, len(data)+len(log))
		}
	})
}
