package sqlite

import "encoding/binary"

// A segment is a sorted run of words with their places, as FTS5 keeps several of: see "FTS5 DATABASE FORMAT" in
// https://sqlite.org/src/file/ext/fts5/fts5_index.c, whose names stand in brackets here.
const (
	leafBytes     = 4050 // from which on a leaf is full [FTS5_DEFAULT_PAGE_SIZE]
	leafHeadBytes = 4    // the offset of the first message that does not follow a word of the leaf, and the size without the footer
	wordPrefix    = '0'  // before each word that is no prefix [FTS5_MAIN_PREFIX]
	jumpLeaves    = 4    // from how many leaves without a word on their messages have an index [FTS5_MIN_DLIDX_SIZE]
)

// segment makes the pages of one segment. Words come in order, each followed by its messages in order.
type segment struct {
	number int64
	page   func(id int64, data []byte) error   // takes a page; data is reused
	branch func(word []byte, leaf int64) error // takes the least word of a leaf, and twice its number, and one where it has jumps

	leaf     int64 // the number of the leaf that is being filled, from 1
	data     []byte
	footer   []byte // where the words of the leaf begin
	wordAt   int    // where its last word begins
	word     []byte // the last one, with its prefix
	hasWord  bool   // a word begins on the leaf
	hasFirst bool   // the first message that a reader may begin with is known
	message  int64  // the last one of the word

	parent     []byte // the least word of the last leaf with a word
	parentLeaf int64
	wordless   int    // leaves since then
	jumps      []byte // the first messages of those leaves [doclist-index]
	jumped     int64  // the last message in jumps
	jumpLeaf   int64  // the leaf of the word they belong to

	err error
}

func newSegment(number int64, page func(id int64, data []byte) error, branch func(word []byte, leaf int64) error) *segment {
	return &segment{number: number, page: page, branch: branch, leaf: 1, parentLeaf: 1, parent: []byte{}, data: make([]byte, leafHeadBytes, 2*leafBytes)}
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
				end = same + 1 // as much as tells it from the word before
			}
			s.parent, s.parentLeaf = append(s.parent[:0], s.word[:end]...), s.leaf
		}
		same = 0
	}
	s.data = appendVarint(s.data, uint64(len(s.word)-same)) //nolint:gosec // not negative
	s.data = append(s.data, s.word[same:]...)
	s.hasWord, s.hasFirst, s.message, s.jumpLeaf = true, true, 0, s.leaf
}

// add adds a message of the word, with its places as FTS5 writes them: differences, after twice their size.
func (s *segment) add(message int64, places []byte) {
	if s.hasFirst {
		s.data = appendVarint(s.data, uint64(message-s.message)) //nolint:gosec // messages come in order
	} else {
		binary.BigEndian.PutUint16(s.data, uint16(len(s.data))) //nolint:gosec // below the size of a leaf
		s.data = appendVarint(s.data, uint64(message))          //nolint:gosec // not negative
		s.hasFirst = true
		s.jump(message)
	}
	s.message = message
	for len(places) > 0 {
		room := leafBytes - len(s.data) - len(s.footer)
		n := len(places)
		if n > room {
			n = varintsWithin(places, room)
		}
		s.data, places = append(s.data, places[:n]...), places[n:]
		if len(s.data)+len(s.footer) >= leafBytes {
			s.endLeaf()
		}
	}
}

// finish writes the last leaf and returns how many there are.
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
			s.jumps = append(s.jumps, 0) // a leaf to pass over
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
		s.err = s.page(id, s.data)
	}
}

// pageID is the key of a page of FTS5: that of a leaf, or of jumps.
func (s *segment) pageID(jumps, leaf int64) int64 { return s.number<<37 | jumps<<36 | leaf }

// jump notes the first message of a leaf on which no word begins.
func (s *segment) jump(message int64) {
	if len(s.jumps) == 0 {
		s.jumps = appendVarint(append(s.jumps, 0), uint64(s.leaf)) //nolint:gosec // not negative
		s.jumped = 0
	}
	s.jumps = appendVarint(s.jumps, uint64(message-s.jumped)) //nolint:gosec // messages come in order
	s.jumped = message
}

// endParent writes what leads to the leaves since the last word that began a leaf. Jumps are written as long as they fit on one
// page; without them FTS5 goes from leaf to leaf.
func (s *segment) endParent() {
	row := s.parentLeaf << 1
	if s.wordless >= jumpLeaves && len(s.jumps) > 0 && len(s.jumps) < leafBytes {
		row++
		if s.err == nil {
			s.err = s.page(s.pageID(1, s.jumpLeaf), s.jumps)
		}
	}
	if s.err == nil {
		s.err = s.branch(s.parent, row)
	}
	s.wordless, s.jumps = 0, s.jumps[:0]
}

// appendVarint appends a number as SQLite writes it, https://sqlite.org/fileformat2.html#varint.
func appendVarint(to []byte, v uint64) []byte {
	if v < 1<<7 {
		return append(to, byte(v))
	}
	var b [9]byte
	at := len(b) - 1
	if v>>56 != 0 {
		b[at] = byte(v)
		v >>= 8
		for at > 0 {
			at--
			b[at] = byte(v) | 0x80
			v >>= 7
		}
		return append(to, b[:]...)
	}
	b[at] = byte(v) & 0x7f
	for v >>= 7; v > 0; v >>= 7 {
		at--
		b[at] = byte(v) | 0x80
	}
	return append(to, b[at:]...)
}

// varintsWithin returns how many of the first bytes hold whole numbers: at least one number, and no more than there is room for.
func varintsWithin(data []byte, room int) int {
	end := 0
	for i := 0; i < len(data); i++ {
		if data[i] < 0x80 {
			if end > 0 && i+1 > room {
				break
			}
			end = i + 1
		}
	}
	return end
}
