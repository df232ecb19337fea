package sqlite

import "hash/maphash"

// wordTable gives words numbers: 0, 1, 2 … in the order in which they are seen first. A map would do, and take twice as long: here the words
// stand one behind the other, and are hashed once.
type wordTable struct {
	seed   maphash.Seed
	text   []byte
	ends   []uint32 // where each word ends in text
	hashes []uint32
	slots  []uint32 // from a hash on: the number of a word with that hash, and one; 0 ends the search. A power of two of them
}

// leastSlots is enough for the words of most batches of messages.
const leastSlots = 1 << 12

func newWordTable() wordTable {
	return wordTable{seed: maphash.MakeSeed(), slots: make([]uint32, leastSlots)}
}

// reset takes all words out, and keeps their room.
func (t *wordTable) reset() {
	clear(t.slots)
	t.text, t.ends, t.hashes = t.text[:0], t.ends[:0], t.hashes[:0]
}

// size is how many words there are.
func (t *wordTable) size() int { return len(t.ends) }

// word returns the word of a number; it must not be changed.
func (t *wordTable) word(number uint32) []byte {
	from := uint32(0)
	if number > 0 {
		from = t.ends[number-1]
	}
	return t.text[from:t.ends[number]]
}

// number returns the number of a word, a new one where it has none.
func (t *wordTable) number(word []byte) uint32 {
	hash := uint32(maphash.Bytes(t.seed, word)) //nolint:gosec // bits, not a number
	mask := uint32(len(t.slots) - 1)            //nolint:gosec // bounded by a batch
	at := hash & mask
	for ; t.slots[at] != 0; at = (at + 1) & mask {
		if number := t.slots[at] - 1; t.hashes[number] == hash && string(t.word(number)) == string(word) {
			return number
		}
	}
	number := uint32(len(t.ends)) //nolint:gosec // bounded by a batch
	t.slots[at] = number + 1
	t.text = append(t.text, word...)
	t.ends, t.hashes = append(t.ends, uint32(len(t.text))), append(t.hashes, hash) //nolint:gosec // bounded by a batch
	if 2*len(t.ends) > len(t.slots) {
		t.grow()
	}
	return number
}

// grow makes room for twice as many words.
func (t *wordTable) grow() {
	t.slots = make([]uint32, 2*len(t.slots))
	mask := uint32(len(t.slots) - 1) //nolint:gosec // bounded by a batch
	for number, hash := range t.hashes {
		at := hash & mask
		for t.slots[at] != 0 {
			at = (at + 1) & mask
		}
		t.slots[at] = uint32(number + 1) //nolint:gosec // bounded by a batch
	}
}
