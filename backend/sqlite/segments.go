package sqlite

import (
	"bytes"
	"context"
	"slices"
)

// Rows of search_index_data that are no pages.
const (
	averagesID  = 1  // how many messages and words there are [FTS5_AVERAGES_ROWID]
	structureID = 10 // which segments there are [FTS5_STRUCTURE_ROWID]
)

// structureMark tells a list of segments that says which messages each of them may hold [FTS5_STRUCTURE_V2].
var structureMark = []byte{0xff, 0, 0, 1}

// segmentEntry is what the list says of a segment: number, first and last leaf, first and last origin, and what was deleted of it.
type segmentEntry [8]uint64

const (
	segmentNumber = iota
	segmentFirstLeaf
	segmentLastLeaf
	segmentFirstOrigin
	segmentLastOrigin
	_
	_
	segmentMessages
)

// segmentLevel is a list of segments of about one size, the oldest first.
type segmentLevel struct {
	merging uint64 // how many of the first ones are being merged into the last one of the next level
	entries []segmentEntry
}

// segments is the list of segments that FTS5 keeps.
type segments struct {
	cookie  [4]byte
	written uint64 // leaves, ever
	levels  []segmentLevel
}

// decodeSegments reads the list; ok is false where it is not as FTS5 writes it.
func decodeSegments(data []byte) (s segments, ok bool) {
	if len(data) < 8 || !bytes.Equal(data[4:8], structureMark) {
		return s, false
	}
	copy(s.cookie[:], data)
	in := numbers{data: data[8:]}
	levels, _ := in.next(), in.next()
	s.written = in.next()
	for ; levels > 0 && !in.bad; levels-- {
		level := segmentLevel{merging: in.next()}
		for n := in.next(); n > 0 && !in.bad; n-- {
			var e segmentEntry
			for i := range e {
				e[i] = in.next()
			}
			level.entries = append(level.entries, e)
		}
		s.levels = append(s.levels, level)
	}
	return s, !in.bad && len(in.data) == 0
}

func (s *segments) encode() []byte {
	count := 0
	for i := range s.levels {
		count += len(s.levels[i].entries)
	}
	data := slices.Concat(s.cookie[:], structureMark)
	for _, n := range []uint64{uint64(len(s.levels)), uint64(count), s.written} { //nolint:gosec // counts
		data = appendVarint(data, n)
	}
	for _, level := range s.levels {
		data = appendVarint(appendVarint(data, level.merging), uint64(len(level.entries)))
		for _, e := range level.entries {
			for _, n := range e {
				data = appendVarint(data, n)
			}
		}
	}
	return data
}

// origin is the number of the next segment in time, by which FTS5 finds the segments that a message may be in.
func (s *segments) origin() uint64 {
	last := uint64(0)
	for _, level := range s.levels {
		for i := range level.entries {
			last = max(last, level.entries[i][segmentLastOrigin])
		}
	}
	return last + 1
}

// free returns the least number that no segment has.
func (s *segments) free() uint64 {
	taken := map[uint64]bool{}
	for _, level := range s.levels {
		for i := range level.entries {
			taken[level.entries[i][segmentNumber]] = true
		}
	}
	n := uint64(1)
	for taken[n] {
		n++
	}
	return n
}

// add adds a segment, the newest, on the level of its size: four of a level make one of the next. No older one may stay on a lower level,
// because a merge takes what a level holds for one stretch of time. What is being merged into a level is its last segment and must stay it.
func (s *segments) add(e segmentEntry) {
	to := 0
	for leaves := e[segmentLastLeaf]; leaves >= 4; leaves /= 4 {
		to++
	}
	for len(s.levels) <= to {
		s.levels = append(s.levels, segmentLevel{})
	}
	for i := range s.levels[:to] {
		if s.levels[i].merging > 0 {
			to = i
			break
		}
	}
	for i := to - 1; i >= 0; i-- {
		s.levels[to].entries = append(s.levels[to].entries, s.levels[i].entries...)
		s.levels[i].entries = nil
	}
	s.levels[to].entries = append(s.levels[to].entries, e)
	s.written += e[segmentLastLeaf]
}

// mergeFrom is how many segments of a level are merged into one. FTS5 takes four; an import of 350 MB, which leaves seven segments with that
// and ten with this, writes most words once less, and searches take as long.
const mergeFrom = 8

// crowded says that there are segments to be merged.
func (s *segments) crowded() bool {
	return slices.ContainsFunc(s.levels, func(l segmentLevel) bool { return l.merging > 0 || len(l.entries) >= mergeFrom })
}

// numbers reads what appendVarint wrote; after damage it is bad, and all that follows is 0.
type numbers struct {
	data []byte
	bad  bool
}

func (n *numbers) next() (v uint64) {
	for i, b := range n.data {
		if i == 8 {
			n.data = n.data[9:]
			return v<<8 | uint64(b)
		}
		v = v<<7 | uint64(b&0x7f)
		if b < 0x80 {
			n.data = n.data[i+1:]
			return v
		}
	}
	n.data, n.bad = nil, true
	return 0
}

// putSegment writes postings as a segment of the index; ids are the numbers of their messages, in order, 0 for one to leave out. FTS5 would
// take the words one by one, which takes three times as long.
func (t *tx) putSegment(ctx context.Context, p *postings, ids []int64) error {
	if err := t.mergeSegments(ctx, 0); err != nil { // a deletion may have left FTS5 with a copy of the list, which this makes it drop
		return err
	}
	list, err := t.segments(ctx)
	if err != nil {
		return err
	}
	number, origin := list.free(), list.origin()
	words, messages := int64(0), uint64(0)
	var sizes []any
	for i, id := range ids {
		if id == 0 {
			continue
		}
		sizes = append(sizes, id, appendVarint(nil, uint64(p.count(i))), int64(origin)) //nolint:gosec // counts
		words += int64(p.count(i))
		messages++
	}
	if messages == 0 {
		return nil
	}
	if err := t.insertRows(ctx, `INSERT OR REPLACE INTO search_index_docsize (id, sz, origin) VALUES `, 3, sizes); err != nil {
		return err
	}
	leaves, err := t.writeSegment(ctx, int64(number), p, ids) //nolint:gosec // a count
	if err != nil {
		return err
	}
	if leaves > 0 {
		list.add(segmentEntry{
			segmentNumber: number, segmentFirstLeaf: 1, segmentLastLeaf: uint64(leaves), //nolint:gosec // a count
			segmentFirstOrigin: origin, segmentLastOrigin: origin, segmentMessages: messages,
		})
		if err := t.putIndexData(ctx, structureID, list.encode()); err != nil {
			return err
		}
	}
	if err := t.addAverages(ctx, messages, uint64(words)); err != nil { //nolint:gosec // a count
		return err
	}
	if !list.crowded() {
		return nil
	}
	return t.mergeSegments(ctx, max(leastMerge, leaves))
}

// writeSegment writes the pages of a segment and returns how many leaves it has.
func (t *tx) writeSegment(ctx context.Context, number int64, p *postings, ids []int64) (leaves int64, err error) {
	s := newSegment(number,
		func(id int64, data []byte) error { return t.putIndexData(ctx, id, data) },
		func(word []byte, leaf int64) error {
			_, err := t.exec(ctx, `INSERT INTO search_index_idx (segid, term, pgno) VALUES (?, ?, ?)`, number, word, leaf)
			return err
		})
	order, places, starts := p.byWord()
	var positions, sized []byte
	for _, w := range order {
		begun := false
		for at := places[starts[w]:starts[w+1]]; len(at) > 0; {
			message, before := at[0].message, uint32(0)
			positions = positions[:0]
			for ; len(at) > 0 && at[0].message == message; at = at[1:] {
				positions = appendVarint(positions, uint64(at[0].position-before)+2) // 0 and 1 mean something else [fts5PoslistNext64]
				before = at[0].position
			}
			if ids[message] == 0 {
				continue
			}
			if !begun {
				s.begin(p.word(w))
				begun = true
			}
			sized = append(appendVarint(sized[:0], 2*uint64(len(positions))), positions...)
			s.add(ids[message], sized)
		}
	}
	return s.finish()
}

func (t *tx) putIndexData(ctx context.Context, id int64, data []byte) error {
	_, err := t.exec(ctx, `INSERT OR REPLACE INTO search_index_data (id, block) VALUES (?, ?)`, id, data)
	return err
}

func (t *tx) segments(ctx context.Context) (segments, error) {
	var data []byte
	if err := t.get(ctx, &data, `SELECT block FROM search_index_data WHERE id = ?`, structureID); err != nil {
		return segments{}, err
	}
	list, ok := decodeSegments(data)
	if !ok {
		return list, damaged("the list of the index's segments is not written as it should be")
	}
	return list, nil
}

// addAverages counts messages and their words.
func (t *tx) addAverages(ctx context.Context, messages, words uint64) error {
	var data []byte
	if err := t.get(ctx, &data, `SELECT block FROM search_index_data WHERE id = ?`, averagesID); err != nil {
		return err
	}
	in := numbers{data: data}
	data = appendVarint(nil, in.next()+messages)
	return t.putIndexData(ctx, averagesID, appendVarint(data, in.next()+words))
}

// leastMerge is how many leaves FTS5 itself merges at a time.
const leastMerge = 64

// mergeSegments lets FTS5 go on merging segments of one level, where there are four, until it has written so many leaves.
func (t *tx) mergeSegments(ctx context.Context, leaves int64) error {
	_, err := t.exec(ctx, `INSERT INTO search_index (search_index, rank) VALUES ('merge', ?)`, leaves)
	return err
}
