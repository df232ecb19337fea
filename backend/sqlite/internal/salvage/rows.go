package salvage

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"iter"
)

// Row is a row that could be read.
type Row struct {
	Page   uint32
	Owner  string // the table or index it belongs to; empty: unknown, because nothing leads to its page any more
	RowID  int64  // of a row of a table with row ids
	Keyed  bool   // it is of an index, or of a table without row ids
	Values []any  // nil, int64, float64, string, []byte
}

// Rows yields every row that can be read: first those whose place is known, then those of pages that nothing leads to.
// It ends early if ctx is done.
func (f *File) Rows(ctx context.Context, progress func(done, total int64)) iter.Seq2[Row, error] {
	return func(yield func(Row, error) bool) {
		if err := f.Survey(ctx); err != nil {
			yield(Row{}, err)
			return
		}
		clear(f.survey.overflow)
		total := 2 * int64(f.pages)
		for pass, orphans := range []bool{false, true} {
			for n := uint32(1); n <= f.pages; n++ {
				if n%256 == 0 {
					if err := ctx.Err(); err != nil {
						yield(Row{}, err)
						return
					}
					progress(int64(pass)*int64(f.pages)+int64(n), total)
				}
				if !f.yieldPage(n, orphans, yield) {
					return
				}
			}
		}
	}
}

// yieldPage yields the rows of a page if it belongs to this pass, and reports whether more are wanted.
func (f *File) yieldPage(n uint32, orphans bool, yield func(Row, error) bool) bool {
	owner := f.survey.owner[n]
	if owner == free || owner == schemaObject || (owner == unowned) != orphans || orphans && len(f.damage) == 0 {
		return true
	}
	name := ""
	if owner != unowned {
		name = f.survey.objects[owner].Name
	}
	for row := range f.pageRows(n, name) {
		if !yield(row, nil) {
			return false
		}
	}
	return true
}

// pageRows yields the rows of a page. What cannot be read of a page that belongs to something is noted as damage.
func (f *File) pageRows(n uint32, owner string) iter.Seq[Row] {
	return func(yield func(Row) bool) {
		page, err := f.btree(n)
		if err != nil || page.kind == tableInterior {
			return // noted when the tree was walked
		}
		lost, cause := 0, error(nil)
		for i := range page.cells {
			row, err := f.row(&page, i)
			if err != nil {
				lost, cause = lost+1, err
				continue
			}
			row.Page, row.Owner = n, owner
			if !yield(row) {
				return
			}
		}
		if lost > 0 && owner != "" {
			f.damaged(n, owner, "%d of %d rows cannot be read: %v", lost, page.cells, cause)
		}
	}
}

func (f *File) row(page *btreePage, i int) (Row, error) {
	p, err := page.payloadOf(i, f.mostBytes())
	if err != nil {
		return Row{}, err
	}
	data := p.local
	if p.overflow != 0 {
		if data, err = f.whole(&p); err != nil {
			return Row{}, err
		}
	}
	values, err := decodeRecord(data)
	return Row{RowID: p.rowID, Keyed: page.isIndex(), Values: values}, err
}

// mostBytes bounds the size of a record: that of all pages, and of what SQLite allows.
func (f *File) mostBytes() int64 {
	const limit = 1<<31 - 1
	return min(int64(f.pages)*int64(f.pageSize), limit)
}

var errChain = errors.New("the pages of a long record are used twice, or missing")

// whole collects a record that continues in other pages. A page is used by one record only, so all chains together are not longer than the file.
func (f *File) whole(p *payload) ([]byte, error) {
	data := append(make([]byte, 0, min(p.size, 1<<20)), p.local...)
	var used []uint32
	fail := func(err error) ([]byte, error) {
		if f.survey.retried += len(used); f.survey.retried < int(f.pages) { // else a hostile file would have its chains read for ever
			for _, n := range used { // another record may be the one that they belong to
				f.survey.overflow[n/64] &^= 1 << (n % 64)
			}
		}
		return nil, err
	}
	for next := p.overflow; len(data) < p.size; {
		if next < 2 || next > f.pages || f.survey.overflow[next/64]&(1<<(next%64)) != 0 || f.survey.owner[next] != unowned {
			return fail(errChain)
		}
		f.survey.overflow[next/64] |= 1 << (next % 64)
		used = append(used, next)
		page, err := f.page(next)
		if err != nil {
			return fail(fmt.Errorf("page %d: %w", next, err))
		}
		next = binary.BigEndian.Uint32(page)
		data = append(data, page[4:min(f.usable, 4+p.size-len(data))]...)
	}
	return data, nil
}
