package fts

// Ids of the rows of %_data that are not pages.
const (
	AveragesID  = 1  // the number of documents and words [FTS5_AVERAGES_ROWID]
	StructureID = 10 // the list of segments [FTS5_STRUCTURE_ROWID]
)

// Rows receives the rows of a new segment, for the shadow tables of an index. Slices are reused after the call.
type Rows interface {
	// Size is a row of %_docsize: the words of a document, and the origin of its segment.
	Size(document int64, words []byte, origin int64) error
	// Page is a row of %_data.
	Page(id int64, block []byte) error
	// Term is a row of %_idx: the least word of a leaf, and twice the number of the leaf, plus one if it has jumps.
	Term(segment int64, word []byte, leaf int64) error
}

// Index is the state of an FTS5 index: its segments, and how much it holds.
type Index struct {
	structure structure
	documents uint64
	words     uint64
}

// Decode reads the state from the rows StructureID and AveragesID. ok is false for a format that this package does not
// write, for example that of a table without contentless_delete.
func Decode(structure, averages []byte) (x Index, ok bool) {
	if x.structure, ok = decodeStructure(structure); !ok {
		return x, false
	}
	in := varints{data: averages}
	x.documents, x.words = in.next(), in.next()
	return x, !in.bad || len(averages) == 0
}

// Structure returns the row StructureID.
func (x *Index) Structure() []byte { return x.structure.encode() }

// Averages returns the row AveragesID.
func (x *Index) Averages() []byte {
	return appendVarint(appendVarint(nil, x.documents), x.words)
}

// Crowded reports whether FTS5 should merge segments.
func (x *Index) Crowded() bool { return x.structure.crowded() }

// Add passes the rows of a new segment to rows, and returns the number of its leaves. ids are the rowids of the documents,
// ascending; a document with the id 0 is left out. Afterwards the rows StructureID and AveragesID have changed.
func (x *Index) Add(p *Postings, ids []int64, rows Rows) (leaves int64, err error) {
	number, origin := x.structure.free(), x.structure.origin()
	documents, words := uint64(0), uint64(0)
	var size []byte
	for i, id := range ids {
		if id == 0 {
			continue
		}
		count := uint64(p.Count(i)) //nolint:gosec // a count
		size = appendVarint(size[:0], count)
		if err := rows.Size(id, size, int64(origin)); err != nil { //nolint:gosec // a count
			return 0, err
		}
		words += count
		documents++
	}
	if documents == 0 {
		return 0, nil
	}
	x.documents, x.words = x.documents+documents, x.words+words
	leaves, err = p.write(int64(number), ids, rows) //nolint:gosec // a count
	if err == nil && leaves > 0 {
		x.structure.add(segmentEntry{
			segmentNumber: number, segmentFirstLeaf: 1, segmentLastLeaf: uint64(leaves),
			segmentFirstOrigin: origin, segmentLastOrigin: origin, segmentDocuments: documents,
		})
	}
	return leaves, err
}

// write writes the pages of a segment and returns the number of its leaves.
func (p *Postings) write(number int64, ids []int64, rows Rows) (leaves int64, err error) {
	s := newSegment(number, rows)
	order, occurrences, starts := p.byWord()
	var positions, sized []byte
	for _, w := range order {
		begun := false
		for at := occurrences[starts[w]:starts[w+1]]; len(at) > 0; {
			document, before := at[0].document, uint32(0)
			positions = positions[:0]
			for ; len(at) > 0 && at[0].document == document; at = at[1:] {
				positions = appendVarint(positions, uint64(at[0].position-before)+2) // 0 and 1 are reserved [fts5PoslistNext64]
				before = at[0].position
			}
			if ids[document] == 0 {
				continue
			}
			if !begun {
				s.begin(p.Word(w))
				begun = true
			}
			sized = append(appendVarint(sized[:0], 2*uint64(len(positions))), positions...)
			s.add(ids[document], sized)
		}
	}
	return s.finish()
}
