package fts

import "hash/maphash"

// dictionary numbers words 0, 1, 2 … in the order of their first occurrence. It takes half the time of a map: the words are
// stored one after another, and each is hashed once.
type dictionary struct {
	seed   maphash.Seed
	text   []byte
	ends   []uint32 // the end of each word in text
	hashes []uint32
	slots  []uint32 // open addressing by hash: the number of a word plus one, or 0; the length is a power of two
}

// leastSlots is enough for the words of most batches of documents.
const leastSlots = 1 << 12

func newDictionary() dictionary {
	return dictionary{seed: maphash.MakeSeed(), slots: make([]uint32, leastSlots)}
}

// reset removes all words and keeps the memory.
func (d *dictionary) reset() {
	clear(d.slots)
	d.text, d.ends, d.hashes = d.text[:0], d.ends[:0], d.hashes[:0]
}

// Size returns the number of different words.
func (d *dictionary) Size() int { return len(d.ends) }

// Word returns the word of a number. The caller must not change it.
func (d *dictionary) Word(number uint32) []byte {
	from := uint32(0)
	if number > 0 {
		from = d.ends[number-1]
	}
	return d.text[from:d.ends[number]]
}

// number returns the number of a word, a new one for a new word.
func (d *dictionary) number(word []byte) uint32 {
	hash := uint32(maphash.Bytes(d.seed, word)) //nolint:gosec // bits, not a number
	mask := uint32(len(d.slots) - 1)            //nolint:gosec // bounded by a batch
	at := hash & mask
	for ; d.slots[at] != 0; at = (at + 1) & mask {
		if number := d.slots[at] - 1; d.hashes[number] == hash && string(d.Word(number)) == string(word) {
			return number
		}
	}
	number := uint32(len(d.ends)) //nolint:gosec // bounded by a batch
	d.slots[at] = number + 1
	d.text = append(d.text, word...)
	d.ends, d.hashes = append(d.ends, uint32(len(d.text))), append(d.hashes, hash) //nolint:gosec // bounded by a batch
	if 2*len(d.ends) > len(d.slots) {
		d.grow()
	}
	return number
}

// grow doubles the number of slots.
func (d *dictionary) grow() {
	d.slots = make([]uint32, 2*len(d.slots))
	mask := uint32(len(d.slots) - 1) //nolint:gosec // bounded by a batch
	for number, hash := range d.hashes {
		at := hash & mask
		for d.slots[at] != 0 {
			at = (at + 1) & mask
		}
		d.slots[at] = uint32(number + 1) //nolint:gosec // bounded by a batch
	}
}
