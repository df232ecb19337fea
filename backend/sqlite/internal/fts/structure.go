package fts

import (
	"bytes"
	"slices"
)

// structureMark begins a list of segments with origins [FTS5_STRUCTURE_V2].
var structureMark = []byte{0xff, 0, 0, 1}

// segmentEntry describes a segment: number, first and last leaf, first and last origin, and what was deleted from it.
type segmentEntry [8]uint64

const (
	segmentNumber = iota
	segmentFirstLeaf
	segmentLastLeaf
	segmentFirstOrigin
	segmentLastOrigin
	_
	_
	segmentDocuments
)

// segmentLevel lists segments of about one size, the oldest first.
type segmentLevel struct {
	merging uint64 // the number of segments, from the first on, that are being merged into the last one of the next level
	entries []segmentEntry
}

// structure is the list of the segments of an index.
type structure struct {
	cookie  [4]byte
	written uint64 // the number of leaves that were ever written
	levels  []segmentLevel
}

// decodeStructure reads the list. ok is false if it is not in the format that encode writes.
func decodeStructure(data []byte) (s structure, ok bool) {
	if len(data) < 8 || !bytes.Equal(data[4:8], structureMark) {
		return s, false
	}
	copy(s.cookie[:], data)
	in := varints{data: data[8:]}
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

func (s *structure) encode() []byte {
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

// origin returns the origin of the next segment. FTS5 uses origins to find the segments that may hold a document.
func (s *structure) origin() uint64 {
	last := uint64(0)
	for _, level := range s.levels {
		for i := range level.entries {
			last = max(last, level.entries[i][segmentLastOrigin])
		}
	}
	return last + 1
}

// free returns the least unused number of a segment.
func (s *structure) free() uint64 {
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

// add adds the newest segment on the level of its size: four of a level make one of the next. No older segment may stay on a
// lower level, because a merge takes the segments of a level as consecutive in time. The last segment of a level that another
// one is being merged into must stay the last one.
func (s *structure) add(e segmentEntry) {
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

// mergeFrom is the number of segments of a level that are merged into one. FTS5 merges four. An import of 350 MB leaves seven
// segments with four and ten with eight, but writes most words once less; searches take the same time.
const mergeFrom = 8

// crowded reports whether there are segments to merge.
func (s *structure) crowded() bool {
	return slices.ContainsFunc(s.levels, func(l segmentLevel) bool { return l.merging > 0 || len(l.entries) >= mergeFrom })
}
