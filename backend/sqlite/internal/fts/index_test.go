package fts

import (
	"encoding/binary"
	"fmt"
	"maps"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// stored keeps the rows of an index.
type stored struct {
	pages map[int64][]byte
	words map[int64]int64 // by document
}

func (s *stored) Size(document int64, words []byte, _ int64) error {
	s.words[document] = Words(words)
	return nil
}

func (s *stored) Page(id int64, block []byte) error {
	s.pages[id] = slices.Clone(block)
	return nil
}

func (s *stored) Term(int64, []byte, int64) error { return nil }

// read returns "word document position" for each occurrence of a segment, leaf by leaf.
func (s *stored) read(number, leaves int64) (all []string) {
	var word []byte
	document, position, left := int64(0), int64(0), 0
	for leaf := int64(1); leaf <= leaves; leaf++ {
		page := s.pages[number<<37|leaf]
		first, end := int(binary.BigEndian.Uint16(page)), int(binary.BigEndian.Uint16(page[2:]))
		begins := map[int]bool{}
		at := 0
		for footer := (varints{data: page[end:]}); len(footer.data) > 0; {
			at += int(footer.next())
			begins[at] = true
		}
		in := varints{data: page[leafHeadBytes:end]}
		for fresh := true; len(in.data) > 0; {
			switch at := end - len(in.data); {
			case begins[at]:
				kept := 0
				if !fresh {
					kept = int(in.next())
				}
				n := int(in.next())
				word = append(word[:kept:kept], in.data[:n]...)
				in.data, fresh = in.data[n:], false
				document = int64(in.next())
				left, position = int(in.next())/2, 0
			case left > 0:
				before := len(in.data)
				position += int64(in.next()) - 2
				left -= before - len(in.data)
				all = append(all, fmt.Sprintf("%s %d %d", word[1:], document, position))
			default:
				if at == first {
					document = 0 // absolute
				}
				document += int64(in.next())
				left, position = int(in.next())/2, 0
			}
		}
	}
	return all
}

// The pages of a segment hold each word with its documents and positions, whatever the sizes of leaves.
func TestPagesHoldThePostings(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := NewPostings(0)
		var ids []int64
		var want []string
		counts := map[int64]int64{}
		id := int64(0)
		for i := range rapid.SampledFrom([]int{1, 3, 40, 120}).Draw(t, "documents") {
			id += rapid.SampledFrom([]int64{1, 2, 300, 1 << 40}).Draw(t, "gap")
			out := rapid.IntRange(0, 9).Draw(t, "left out") == 0
			n := rapid.SampledFrom([]int{0, 1, 5, 50, 900}).Draw(t, "words")
			for position := range n {
				word := fmt.Sprintf("w%d", (position*position+i)%(7+n/2))
				p.Add([]byte(word))
				if !out {
					want = append(want, fmt.Sprintf("%s %d %d", word, id, position))
				}
			}
			p.End()
			if out {
				ids = append(ids, 0)
				continue
			}
			ids = append(ids, id)
			counts[id] = int64(n)
		}
		s := &stored{pages: map[int64][]byte{}, words: map[int64]int64{}}
		var x Index
		leaves, err := x.Add(p, ids, s)
		if err != nil {
			t.Fatal(err)
		}
		got := s.read(1, leaves)
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Fatalf("%d occurrences in %d leaves, want %d", len(got), leaves, len(want))
		}
		if !maps.Equal(s.words, counts) {
			t.Fatalf("sizes %v, want %v", s.words, counts)
		}
	})
}

// The rows of the state are read as they were written, and a row of another format is not taken for one.
func TestStateIsReadBack(t *testing.T) {
	var x Index
	p := NewPostings(0)
	for range 20 {
		p.Add([]byte("word"))
		p.End()
		s := &stored{pages: map[int64][]byte{}, words: map[int64]int64{}}
		ids := make([]int64, p.Documents())
		ids[len(ids)-1] = int64(len(ids))
		if _, err := x.Add(p, ids, s); err != nil {
			t.Fatal(err)
		}
		again, ok := Decode(x.Structure(), x.Averages())
		if !ok || string(again.Structure()) != string(x.Structure()) || string(again.Averages()) != string(x.Averages()) {
			t.Fatalf("%x is read as %x", x.Structure(), again.Structure())
		}
	}
	if x.documents != 20 || x.words != 20 || !x.Crowded() {
		t.Errorf("%d documents, %d words, crowded %t", x.documents, x.words, x.Crowded())
	}
	for _, other := range [][]byte{nil, {0, 0, 0, 1, 0, 0, 0}, x.Structure()[:len(x.Structure())-1], append(x.Structure(), 0)} {
		if _, ok := Decode(other, x.Averages()); ok {
			t.Errorf("%x is taken for a list of segments", other)
		}
	}
}

// A document that is copied, reordered or written as text keeps its words; a discarded one leaves none.
func TestPostingsKeepWords(t *testing.T) {
	from, to := NewPostings(0), NewPostings(0)
	for _, words := range [][]string{{"a", "b", "a"}, {"c"}} {
		for _, word := range words {
			from.Add([]byte(word))
		}
		from.End()
	}
	from.Add([]byte("d"))
	from.Discard()
	to.Copy(from, 1)
	to.Copy(from, 0)
	to.Reorder([]int{1, 0})
	if got := string(to.Text(nil, 0)) + "|" + string(to.Text(nil, 1)); got != "a b a|c" {
		t.Errorf("the documents are %q", got)
	}
	if from.Tokens() != 4 || from.Documents() != 2 || to.Count(0) != 3 {
		t.Errorf("%d words of %d documents, %d of the first", from.Tokens(), from.Documents(), to.Count(0))
	}
}
