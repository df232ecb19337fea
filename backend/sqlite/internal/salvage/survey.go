package salvage

import (
	"context"
	"encoding/binary"
	"slices"
)

// Object is a table or an index of the schema.
type Object struct {
	Type string // table, index
	Name string
	Root uint32
	SQL  string
}

// schemaObject is the number of the schema itself among the owners.
const schemaObject = 1

// The states of pages besides the numbers of their owners.
const (
	unowned = 0
	free    = ^uint32(0)
	found   = 2 // the first number of an object that the schema names
)

// survey is which page belongs to what.
type survey struct {
	owner    []uint32 // by page: unowned, free, or the number of an object
	objects  []Object // by number
	overflow []uint64 // a bit for each page that was read as the rest of a record
	retried  int      // pages that were read in vain as the rest of a record
}

// Survey finds out what each page belongs to. Rows calls it if it was not called before.
func (f *File) Survey(ctx context.Context) error {
	if f.survey != nil {
		return nil
	}
	s := &survey{
		owner: make([]uint32, f.pages+1), objects: make([]Object, found), overflow: make([]uint64, f.pages/64+1),
	}
	s.objects[schemaObject] = Object{Type: "table", Name: "sqlite_schema", Root: 1}
	f.survey = s
	f.setMapsAside()
	f.walk(1, schemaObject)
	f.readFreelist()
	s.objects = append(s.objects, f.findSchema()...)
	for n := found; n < len(s.objects); n++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		f.walk(s.objects[n].Root, uint32(n)) //nolint:gosec // few
	}
	if len(f.damage) > 0 && f.header.autoVacuum {
		f.readPointerMaps()
	}
	return nil
}

// Objects returns the tables and indexes whose definitions can be read.
func (f *File) Objects() []Object { return slices.Clone(f.survey.objects[found:]) }

// setMapsAside marks the pages of pointer maps, which hold no rows.
func (f *File) setMapsAside() {
	if !f.header.autoVacuum {
		return
	}
	for n := uint32(2); n <= f.pages; n += f.pagesPerMap() {
		f.survey.owner[n] = free
	}
}

// pagesPerMap returns how many pages lie from one pointer map to the next.
func (f *File) pagesPerMap() uint32 {
	return uint32(f.usable)/5 + 1 //nolint:gosec // at most 65536
}

// walk gives the pages of a tree to an object. What another one has already is not given again.
func (f *File) walk(root, owner uint32) {
	s := f.survey
	name := s.objects[owner].Name
	isIndex, isKnown := false, false
	for todo := []uint32{root}; len(todo) > 0; {
		n := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if n == 0 || n > f.pages {
			f.damaged(n, name, "no page %d", n)
			continue
		}
		if s.owner[n] != unowned {
			f.damaged(n, name, "page %d belongs to two trees", n)
			continue
		}
		s.owner[n] = owner
		page, err := f.btree(n)
		if err != nil {
			f.damaged(n, name, "%v", err)
			continue
		}
		if !isKnown {
			isIndex, isKnown = page.isIndex(), true
		} else if page.isIndex() != isIndex {
			s.owner[n] = unowned
			f.damaged(n, name, "page %d is of another kind than its tree", n)
			continue
		}
		todo = append(todo, page.children()...)
	}
}

func (f *File) btree(n uint32) (btreePage, error) {
	data, err := f.page(n)
	if err != nil {
		return btreePage{}, err
	}
	at := 0
	if n == 1 {
		at = headerBytes
	}
	return parsePage(data, at, f.usable)
}

// findSchema reads the definitions of tables and indexes, from pages that lost their place too if the schema is damaged.
func (f *File) findSchema() []Object {
	var objects []Object
	seen := map[uint32]bool{1: true}
	add := func(page uint32) {
		for row := range f.pageRows(page, "sqlite_schema") {
			if o, ok := objectOf(row.Values); ok && o.Root <= f.pages && !seen[o.Root] {
				seen[o.Root] = true
				objects = append(objects, o)
			}
		}
	}
	for n := uint32(1); n <= f.pages; n++ {
		if f.survey.owner[n] == schemaObject {
			add(n)
		}
	}
	if len(f.damage) == 0 {
		return objects
	}
	for n := uint32(1); n <= f.pages; n++ {
		if page, err := f.btree(n); err == nil && page.kind == tableLeaf && f.survey.owner[n] == unowned && f.isSchema(&page) {
			f.survey.owner[n] = schemaObject
			add(n)
		}
	}
	return objects
}

// isSchema reports whether the first cell that can be read is a row of the schema.
func (f *File) isSchema(p *btreePage) bool {
	for i := range p.cells {
		row, err := p.payloadOf(i, f.mostBytes())
		if err != nil || row.overflow != 0 {
			continue
		}
		values, err := decodeRecord(row.local)
		if err != nil {
			continue
		}
		_, ok := objectOf(values)
		return ok
	}
	return false
}

// objectOf reads a row of the schema. Views and triggers have no pages.
func objectOf(values []any) (Object, bool) {
	if len(values) != 5 {
		return Object{}, false
	}
	kind, _ := values[0].(string)
	name, _ := values[1].(string)
	root, _ := values[3].(int64)
	sql, _ := values[4].(string)
	if (kind != "table" && kind != "index") || name == "" || root < 2 || root > maxPages {
		return Object{}, false
	}
	return Object{Type: kind, Name: name, Root: uint32(root), SQL: sql}, true
}

// readFreelist marks the pages that are free: what they hold was deleted.
func (f *File) readFreelist() {
	s := f.survey
	for n := f.header.freelist; n != 0 && n <= f.pages && s.owner[n] == unowned; {
		page, err := f.page(n)
		if err != nil {
			return
		}
		s.owner[n] = free
		count := min(int(binary.BigEndian.Uint32(page[4:])), f.usable/4-2)
		for i := range count {
			if leaf := binary.BigEndian.Uint32(page[8+4*i:]); leaf > 1 && leaf <= f.pages && s.owner[leaf] == unowned {
				s.owner[leaf] = free
			}
		}
		n = binary.BigEndian.Uint32(page)
	}
}

// The types of entries of a pointer map.
const (
	mapFree  = 2
	mapBtree = 5
)

// readPointerMaps gives the pages that no tree leads to any more to the tree that their pointer map names.
func (f *File) readPointerMaps() {
	for n := uint32(2); n <= f.pages; n++ {
		if f.survey.owner[n] == unowned {
			if owner := f.ownerByMap(n); owner != unowned {
				f.survey.owner[n] = owner
			}
		}
	}
}

// ownerByMap climbs from page to parent until one has an owner.
func (f *File) ownerByMap(n uint32) uint32 {
	for range 32 { // no tree is deeper
		if n < 2 || n > f.pages {
			return unowned
		}
		if owner := f.survey.owner[n]; owner != unowned {
			return owner
		}
		mapPage := (n-2)/f.pagesPerMap()*f.pagesPerMap() + 2
		if mapPage == n {
			return unowned
		}
		data, err := f.page(mapPage)
		if err != nil {
			return unowned
		}
		entry := data[5*(n-mapPage-1):]
		switch entry[0] {
		case mapFree:
			return free
		case mapBtree:
			n = binary.BigEndian.Uint32(entry[1:])
		default:
			return unowned
		}
	}
	return unowned
}
