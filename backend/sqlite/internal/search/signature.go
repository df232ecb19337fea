package search

import "math/bits"

// A signature is a Bloom filter of the symbols of a message: characters of ASCII that no word contains, alone and in runs of
// two and three. Code and logs are searched for such runs, for example "=> {", of which the index of words knows nothing. A
// search reads only messages whose signatures contain every run of the searched text.
//
// A signature has a byte for each run, of which one bit is set, so a run that a message lacks seems to be in one signature
// of nine. That of a message without symbols is a byte of zero.

const (
	// symbolBase is one more than the number of symbols. A run is a number in this base, a digit for each symbol.
	symbolBase = 34
	// symbolRuns is one more than the largest number of a run.
	symbolRuns = symbolBase * symbolBase * symbolBase
	// signatureLimit is the size of the largest signature. Larger ones would rarely save reading a message.
	signatureLimit = 512
)

// symbolOf returns the digit of a symbol; 0 for any other byte.
func symbolOf(c byte) uint16 {
	switch {
	case c < ' ' || c > '~':
		return 0
	case c < '0':
		return uint16(c-' ') + 1
	case c <= '9':
		return 0
	case c < 'A':
		return uint16(c-':') + 17
	case c <= 'Z':
		return 0
	case c < 'a':
		return uint16(c-'[') + 24
	case c <= 'z':
		return 0
	default:
		return uint16(c-'{') + 30
	}
}

// symbolTable returns the digits of all bytes.
func symbolTable() (table [256]uint16) {
	for c := range table {
		table[c] = symbolOf(byte(c))
	}
	return table
}

// symbols collects the runs of symbols in texts.
type symbols struct {
	digits [256]uint16
	runs   [(symbolRuns + 63) / 64]uint64
}

func newSymbols() *symbols { return &symbols{digits: symbolTable()} }

// add adds the runs of a text.
func (s *symbols) add(text string) {
	for i := 0; i < len(text); i++ {
		if s.digits[text[i]] != 0 {
			i += s.addRuns(text[i:])
		}
	}
}

// addRuns adds the runs of the symbols that a text begins with, and returns their number. For each symbol only the longest run
// that ends with it is set: shorter ones are its last digits. Most are set already, and looking is faster than setting.
func (s *symbols) addRuns(text string) int {
	before, pair := uint32(0), uint32(0) // the last symbol, and the last run of two or one
	for i := range len(text) {
		digit := uint32(s.digits[text[i]])
		if digit == 0 {
			return i
		}
		run := pair*symbolBase + digit
		before, pair = digit, before*symbolBase+digit
		if bit := uint64(1) << (run % 64); s.runs[run/64]&bit == 0 {
			s.runs[run/64] |= bit
		}
	}
	return len(text)
}

// take returns the numbers of the runs, shorter runs included, in ascending order, and removes them.
func (s *symbols) take() []uint32 {
	for _, shorter := range []uint32{symbolBase * symbolBase, symbolBase} {
		s.each(func(run uint32) { s.runs[run%shorter/64] |= 1 << (run % shorter % 64) })
	}
	var all []uint32
	s.each(func(run uint32) { all = append(all, run) })
	s.clear()
	return all
}

func (s *symbols) each(f func(run uint32)) {
	for i, word := range s.runs {
		for ; word != 0; word &= word - 1 {
			f(uint32(i*64 + bits.TrailingZeros64(word))) //nolint:gosec // at most symbolRuns
		}
	}
}

func (s *symbols) clear() { clear(s.runs[:]) }

// signature returns the signature of what was added, and removes it.
func (s *symbols) signature() []byte {
	runs := s.take()
	signature := make([]byte, max(1, min(len(runs), signatureLimit)))
	for _, run := range runs {
		at, bit := signatureBit(run, len(signature))
		signature[at] |= bit
	}
	return signature
}

// signatureBit returns the byte and the bit of a run in a signature of a size.
func signatureBit(run uint32, size int) (at int, bit byte) {
	const spread = 2654435769                           // 2^32 divided by the golden ratio
	n := int(uint64(run*spread) * uint64(size*8) >> 32) //nolint:gosec // less than 8 times the size
	return n / 8, 1 << (n % 8)
}

// symbolRunsOf returns the runs of symbols that every text with this one contains.
func symbolRunsOf(text string) []uint32 {
	s := newSymbols()
	s.add(text)
	return s.take()
}

// mayContain reports whether a message with a signature may contain all of the runs. A message whose signature is not computed
// may contain any.
func mayContain(signature []byte, runs []uint32) bool {
	if len(signature) == 0 {
		return true
	}
	for _, run := range runs {
		if at, bit := signatureBit(run, len(signature)); signature[at]&bit == 0 {
			return false
		}
	}
	return true
}
