package salvage

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// The types of b-tree pages.
const (
	indexInterior = 0x02
	tableInterior = 0x05
	indexLeaf     = 0x0a
	tableLeaf     = 0x0d
)

// btreePage is a page of a b-tree, whose header is sound.
type btreePage struct {
	data   []byte
	kind   byte
	cells  int
	array  int // where the pointers to cells begin
	usable int
}

// parsePage reads the header of a b-tree page, which begins at an offset.
func parsePage(data []byte, at, usable int) (btreePage, error) {
	p := btreePage{data: data, kind: data[at], cells: int(binary.BigEndian.Uint16(data[at+3:])), array: at + 8, usable: usable}
	switch p.kind {
	case indexInterior, tableInterior:
		p.array += 4
	case indexLeaf, tableLeaf:
	default:
		return p, fmt.Errorf("the page has the unknown type %d", p.kind)
	}
	if p.array+2*p.cells > usable {
		return p, fmt.Errorf("the page says that it has %d cells", p.cells)
	}
	return p, nil
}

func (p *btreePage) isInterior() bool { return p.kind == indexInterior || p.kind == tableInterior }

func (p *btreePage) isIndex() bool { return p.kind == indexInterior || p.kind == indexLeaf }

// isDense reports whether every cell lies within the page and behind the pointers.
func (p *btreePage) isDense() bool {
	for i := range p.cells {
		if _, err := p.cell(i); err != nil {
			return false
		}
	}
	return p.cells > 0
}

// cell returns the page from where a cell begins.
func (p *btreePage) cell(i int) ([]byte, error) {
	at := int(binary.BigEndian.Uint16(p.data[p.array+2*i:]))
	if at < p.array+2*p.cells || at+4 > p.usable {
		return nil, fmt.Errorf("cell %d lies outside", i)
	}
	return p.data[at:p.usable], nil
}

// children returns the pages that an interior page points to, as far as its pointers lie within it.
func (p *btreePage) children() []uint32 {
	if !p.isInterior() {
		return nil
	}
	children := make([]uint32, 0, p.cells+1)
	for i := range p.cells {
		if cell, err := p.cell(i); err == nil {
			children = append(children, binary.BigEndian.Uint32(cell))
		}
	}
	return append(children, binary.BigEndian.Uint32(p.data[p.array-4:]))
}

var errCell = errors.New("a cell is cut off")

// payload is what a cell holds: the row's id, of a table's leaf, and the beginning of its record.
type payload struct {
	rowID    int64
	size     int
	local    []byte
	overflow uint32 // the first page of the rest; 0: none
}

// payloadOf reads a cell. most bounds its size.
func (p *btreePage) payloadOf(i int, most int64) (payload, error) {
	var out payload
	cell, err := p.cell(i)
	if err != nil {
		return out, err
	}
	if p.kind == indexInterior {
		cell = cell[4:]
	}
	size, n := varint(cell)
	if n == 0 {
		return out, errCell
	}
	if cell = cell[n:]; size < 0 || size > most {
		return out, fmt.Errorf("cell %d says that it has %d bytes", i, size)
	}
	if p.kind == tableLeaf {
		id, n := varint(cell)
		if n == 0 {
			return out, errCell
		}
		out.rowID, cell = id, cell[n:]
	}
	out.size = int(size)
	local := p.localSize(out.size)
	if local > len(cell) {
		return out, errCell
	}
	out.local = cell[:local]
	if local < out.size {
		if local+4 > len(cell) {
			return out, errCell
		}
		out.overflow = binary.BigEndian.Uint32(cell[local:])
	}
	return out, nil
}

// localSize returns how many bytes of a payload stand in the page itself.
func (p *btreePage) localSize(size int) int {
	most := p.usable - 35
	if p.isIndex() {
		most = (p.usable-12)*64/255 - 23
	}
	if size <= most {
		return size
	}
	least := (p.usable-12)*32/255 - 23
	if k := least + (size-least)%(p.usable-4); k <= most {
		return k
	}
	return least
}
