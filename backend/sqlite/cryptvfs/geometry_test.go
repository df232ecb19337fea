package cryptvfs

import (
	"testing"

	"pgregory.net/rapid"
)

// TestGeometry checks that no two pages or nodes have the same block, that none is where SQLite locks, and that sizes are computed back.
func TestGeometry(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pageSize := int64(1024) << rapid.IntRange(0, 6).Draw(t, "page size")
		g := newGeometry(pageSize)
		if g.capacity()*pageSize < minCapacity {
			t.Fatalf("%d pages of %d bytes", g.capacity(), pageSize)
		}
		first := rapid.OneOf(rapid.Int64Range(0, 20_000), rapid.Int64Range(0, g.capacity()-200)).Draw(t, "first page")
		before := int64(-1) // the last block in use
		for page := first; page < first+200; page++ {
			for level := g.root(); level > 0; level-- {
				id, entry := g.above(page, level)
				if id.index*g.spans[level] != page {
					continue
				}
				if page > first && g.nodeBlock(id) != before+1 {
					t.Fatalf("page %d: the node of level %d begins at %d, after %d", page, level, g.nodeBlock(id), before)
				}
				if before = g.nodeBlock(id) + 1; entry != 0 {
					t.Fatalf("page %d is entry %d of its new node", page, entry)
				}
			}
			block := g.block(page)
			if page > first && block != before+1 {
				t.Fatalf("page %d is block %d, after %d", page, block, before)
			}
			before = block
			if g.pages(block+1) != page+1 || g.pages(block) != page || g.blocks(page+1) != block+1 {
				t.Fatalf("page %d: a file to it has %d pages and %d blocks", page, g.pages(block+1), g.blocks(page+1))
			}
			h := header{pageSize: pageSize}
			at := h.physical(block)
			if at < limitLock+512 && at+pageSize > limitLock {
				t.Fatalf("page %d is at %#x, where SQLite locks", page, at)
			}
			if h.blocksIn(at+pageSize) != block+1 || h.blocksIn(at+1) != block+1 || h.fileSize(block+1) != at+pageSize {
				t.Fatalf("page %d: a file to it has %d blocks and %d bytes", page, h.blocksIn(at+pageSize), h.fileSize(block+1))
			}
		}
	})
}
