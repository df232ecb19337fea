package fts

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

// varintsWithin returns the length of the longest prefix of whole numbers that fits into room bytes; at least one number.
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

// varints reads the numbers that appendVarint wrote. After damage it is bad, and every further number is 0.
type varints struct {
	data []byte
	bad  bool
}

func (n *varints) next() (v uint64) {
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

// Words returns the number of words of a document, from its row in the table of sizes; 0 if there is no such row.
func Words(size []byte) int64 {
	n := varints{data: size}
	return int64(n.next()) //nolint:gosec // a count
}
