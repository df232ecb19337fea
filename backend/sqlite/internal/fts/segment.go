package fts

import "encoding/binary"

// The format of a segment: a sorted list of words with their documents and positions.
const (
	leafBytes     = 4050 // the size from which on a leaf is full [FTS5_DEFAULT_PAGE_SIZE]
	leafHeadBytes = 4    // the offset of the first document that does not follow a word of the leaf, and the size without the footer
	wordPrefix    = '0'  // before each word of the main index [FTS5_MAIN_PREFIX]
	jumpLeaves    = 4    // the number of leaves without a word from which on their documents have an index [FTS5_MIN_DLIDX_SIZE]
)

// segment writes the pages of one segment. Words are added in order, each followed by its documents in order.
type segment struct {
	number int64
	rows   Rows

	leaf     int64 // the number of the leaf that is being filled, from 1
	data     []byte
	footer   []byte // the offsets of the words of the leaf
	wordAt   int    // the offset of its last word
	word     []byte // the last word, with its prefix
	hasWord  bool   // a word begins on the leaf
	hasFirst bool   // the first document that a reader may begin with is known
	document int64  // the last document of the word

	parent     []byte // the least word of the last leaf with a word
	parentLeaf int64
	wordless   int    // the number of leaves since then
	jumps      []byte // the first documents of those leaves [doclist-index]
	jumped     int64  // the last document in jumps
	jumpLeaf   int64  // the leaf of the word that jumps belongs to

	err error
}

func newSegment(number int64, rows Rows) *segment {
	return &segment{number: number, rows: rows, leaf: 1, parentLeaf: 1, parent: []byte{}, data: make([]byte, leafHeadBytes, 2*leafBytes)}
}

// begin begins a word.
func (s *segment) begin(word []byte) {
	if len(s.data)+len(s.footer)+len(word)+3 >= leafBytes && len(s.data) > leafHeadBytes {
		s.endLeaf()
	}
	s.footer = appendVarint(s.footer, uint64(len(s.data)-s.wordAt)) //nolint:gosec // not negative
	s.wordAt = len(s.data)
	shared := 0
	for shared < len(word) && shared+1 < len(s.word) && s.word[shared+1] == word[shared] {
		shared++
	}
	same := min(shared+1, len(s.word)) // with the prefix
	before := len(s.word)
	s.word = append(append(s.word[:0], wordPrefix), word...)
	if s.hasWord {
		s.data = appendVarint(s.data, uint64(same)) //nolint:gosec // not negative
	} else {
		if s.leaf > 1 {
			s.endParent()
			end := len(s.word)
			if before > 0 {
				end = same + 1 // enough to distinguish it from the word before
			}
			s.parent, s.parentLeaf = append(s.parent[:0], s.word[:end]...), s.leaf
		}
		same = 0
	}
	s.data = appendVarint(s.data, uint64(len(s.word)-same)) //nolint:gosec // not negative
	s.data = append(s.data, s.word[same:]...)
	s.hasWord, s.hasFirst, s.document, s.jumpLeaf = true, true, 0, s.leaf
}

// add adds a document of the word, with its positions as FTS5 writes them: differences, after twice their size.
func (s *segment) add(document int64, positions []byte) {
	if s.hasFirst {
		s.data = appendVarint(s.data, uint64(document-s.document)) //nolint:gosec // documents come in order
	} else {
		binary.BigEndian.PutUint16(s.data, uint16(len(s.data))) //nolint:gosec // below the size of a leaf
		s.data = appendVarint(s.data, uint64(document))         //nolint:gosec // not negative
		s.hasFirst = true
		s.jump(document)
	}
	s.document = document
	for len(positions) > 0 {
		room := leafBytes - len(s.data) - len(s.footer)
		n := len(positions)
		if n > room {
			n = varintsWithin(positions, room)
		}
		s.data, positions = append(s.data, positions[:n]...), positions[n:]
		if len(s.data)+len(s.footer) >= leafBytes {
			s.endLeaf()
		}
	}
}

// finish writes the last leaf and returns the number of leaves.
func (s *segment) finish() (leaves int64, err error) {
	if len(s.data) > leafHeadBytes {
		s.endLeaf()
	}
	if s.leaf > 1 {
		s.endParent()
	}
	return s.leaf - 1, s.err
}

// endLeaf writes the leaf.
func (s *segment) endLeaf() {
	binary.BigEndian.PutUint16(s.data[2:], uint16(len(s.data))) //nolint:gosec // below twice the size of a leaf
	if s.hasWord {
		s.data = append(s.data, s.footer...)
	} else {
		if !s.hasFirst && len(s.jumps) > 0 {
			s.jumps = append(s.jumps, 0) // a leaf to skip
		}
		s.wordless++
	}
	s.put(s.pageID(0, s.leaf))
	s.data = append(s.data[:0], make([]byte, leafHeadBytes)...)
	s.footer, s.wordAt, s.hasWord, s.hasFirst = s.footer[:0], 0, false, false
	s.leaf++
}

func (s *segment) put(id int64) {
	if s.err == nil {
		s.err = s.rows.Page(id, s.data)
	}
}

// pageID returns the id of a page: of a leaf, or of the jumps of one.
func (s *segment) pageID(jumps, leaf int64) int64 { return s.number<<37 | jumps<<36 | leaf }

// jump records the first document of a leaf on which no word begins.
func (s *segment) jump(document int64) {
	if len(s.jumps) == 0 {
		s.jumps = appendVarint(append(s.jumps, 0), uint64(s.leaf)) //nolint:gosec // not negative
		s.jumped = 0
	}
	s.jumps = appendVarint(s.jumps, uint64(document-s.jumped)) //nolint:gosec // documents come in order
	s.jumped = document
}

// endParent writes the row that leads to the leaves since the last word that began a leaf. Jumps are written if they fit on one
// page; without them FTS5 reads leaf after leaf.
func (s *segment) endParent() {
	row := s.parentLeaf << 1
	if s.wordless >= jumpLeaves && len(s.jumps) > 0 && len(s.jumps) < leafBytes {
		row++
		if s.err == nil {
			s.err = s.rows.Page(s.pageID(1, s.jumpLeaf), s.jumps)
		}
	}
	if s.err == nil {
		s.err = s.rows.Term(s.number, s.parent, row)
	}
	s.wordless, s.jumps = 0, s.jumps[:0]
}
