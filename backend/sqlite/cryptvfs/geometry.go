package cryptvfs

import "sort"

// A database file is a header, and behind it blocks that have the size of a page: the pages, and between them the nodes of the tree
// that authenticates them. Pages are counted from 0.

// geometry is where pages and nodes are.
type geometry struct {
	fanout int64
	spans  []int64 // the number of pages below a node of each level; level 0 is a page, the last level the root
}

// minCapacity is the least size in bytes that a database can grow to, whatever its pages.
const minCapacity = 1_000_000_000_000

func newGeometry(pageSize int64) geometry {
	g := geometry{fanout: (pageSize - Reserve) / tagSize, spans: []int64{1}}
	for len(g.spans) < 3 || g.capacity()*pageSize < minCapacity {
		g.spans = append(g.spans, g.spans[len(g.spans)-1]*g.fanout)
	}
	return g
}

// root returns the level of the root.
func (g *geometry) root() int { return len(g.spans) - 1 }

// capacity returns the maximum number of pages: the root has some entries less than other nodes.
func (g *geometry) capacity() int64 { return (g.fanout - rootExtra/tagSize) * g.spans[g.root()-1] }

// block returns the block of a page. Each node has two blocks before the first page below it, those of the higher levels first.
func (g *geometry) block(page int64) int64 {
	block := page
	for _, span := range g.spans[1:] {
		block += slots * (page/span + 1)
	}
	return block
}

// nodeBlock returns the first block of a node.
func (g *geometry) nodeBlock(id nodeID) int64 {
	return g.block(id.index*g.spans[id.level]) - slots*int64(id.level)
}

// above returns the node of a level that is above a page, and the entry of it that leads to the page.
func (g *geometry) above(page int64, level int) (id nodeID, entry int64) {
	return nodeID{level, page / g.spans[level]}, page / g.spans[level-1] % g.fanout
}

// pages returns the number of pages in a file of so many blocks.
func (g *geometry) pages(blocks int64) int64 {
	return int64(sort.Search(int(blocks), func(page int) bool { return g.block(int64(page)) >= blocks }))
}

// blocks returns the number of blocks in a file of so many pages.
func (g *geometry) blocks(pages int64) int64 {
	if pages == 0 {
		return 0
	}
	return g.block(pages-1) + 1
}
