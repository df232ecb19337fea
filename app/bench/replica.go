package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
)

// replicate copies session files until the copies have the wanted size, and returns the bytes written. Each copy has
// ids and words of its own, because shared words would make compression and the full-text index look better than they
// are.
func replicate(paths []string, folder string, wantedBytes int64) (int64, error) {
	shared, err := sharedWords(paths)
	if err != nil {
		return 0, err
	}
	written := int64(0)
	for number := 0; written < wantedBytes; number++ {
		to := filepath.Join(folder, fmt.Sprintf("copy-%d", number))
		if err := os.MkdirAll(to, 0o700); err != nil {
			return written, err
		}
		other := newCipher(number, shared)
		for _, path := range paths {
			data, err := os.ReadFile(path)
			if err != nil {
				return written, err
			}
			renumber(data, number)
			eachText(data, other.rewrite)
			name := []byte(filepath.Base(path))
			renumber(name, number)
			if err := os.WriteFile(filepath.Join(to, string(name)), data, 0o600); err != nil {
				return written, err
			}
			if written += int64(len(data)); written >= wantedBytes {
				break
			}
		}
	}
	return written, nil
}

// sharedOneIn is the inverse of the fraction of files that must contain a word before all copies share it, as projects
// share the words of a language.
const sharedOneIn = 4

// sharedWords returns the words that many of the files contain.
func sharedWords(paths []string) (map[string]bool, error) {
	files := map[string]int{}
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		seen := map[string]bool{}
		eachText(data, func(text []byte) {
			eachWord(text, func(word []byte) { seen[string(word)] = true })
		})
		for word := range seen {
			files[word]++
		}
	}
	shared := map[string]bool{}
	for word, n := range files {
		if n*sharedOneIn >= len(paths) {
			shared[word] = true
		}
	}
	return shared, nil
}

// cipher replaces the words of a text with words of the same length.
type cipher struct {
	letters [256]byte
	shared  map[string]bool
}

// newCipher returns the cipher of a copy. The first copy keeps its words.
func newCipher(number int, shared map[string]bool) *cipher {
	c := &cipher{shared: shared}
	for i := range c.letters {
		c.letters[i] = byte(i)
	}
	if number == 0 {
		return c
	}
	const letters = 26
	random := rand.New(rand.NewPCG(uint64(number), 1)) //nolint:gosec // the same copies every time
	for from, to := range random.Perm(letters) {
		c.letters['a'+from], c.letters['A'+from] = 'a'+byte(to), 'A'+byte(to) //nolint:gosec // a letter
	}
	return c
}

func (c *cipher) rewrite(text []byte) {
	eachWord(text, func(word []byte) {
		if c.shared[string(word)] {
			return
		}
		for i, letter := range word {
			word[i] = c.letters[letter]
		}
	})
}

// eachText calls f for each JSON string that is a text: not a name, an id or a constant. f may replace letters in
// place.
func eachText(data []byte, f func(text []byte)) {
	const shortest = 40 // bytes; a shorter string is rarely prose or source code
	for {
		begin := bytes.IndexByte(data, '"')
		if begin < 0 {
			return
		}
		data = data[begin+1:]
		end := stringEnd(data)
		text := data[:end]
		data = data[min(end+1, len(data)):]
		isName := len(data) > 0 && data[0] == ':'
		if !isName && len(text) >= shortest && bytes.IndexByte(text, ' ') >= 0 {
			f(text)
		}
	}
}

// stringEnd returns the index of the quote that ends a JSON string.
func stringEnd(data []byte) int {
	for i := 0; i < len(data); i++ {
		switch data[i] {
		case '\\':
			i++
		case '"':
			return i
		}
	}
	return len(data)
}

// eachWord calls f for each run of at least three ASCII letters outside of escape sequences.
func eachWord(text []byte, f func(word []byte)) {
	const shortest = 3
	for i := 0; i < len(text); i++ {
		if text[i] == '\\' {
			if i++; i < len(text) && text[i] == 'u' {
				i += len("0000")
			}
			continue
		}
		from := i
		for i < len(text) && isLetter(text[i]) {
			i++
		}
		if i-from >= shortest {
			f(text[from:i])
		}
		if i > from {
			i-- // the byte that ended the word may begin an escape sequence
		}
	}
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// idBytes is the length of an id as it is written: 8-4-4-4-12 hexadecimal digits.
const idBytes = 36

// renumber replaces every id in place. The same id always gets the same replacement.
func renumber(data []byte, number int) {
	for i := 0; i+idBytes <= len(data); i++ {
		dash := bytes.IndexByte(data[i:], '-')
		if dash < 0 {
			return
		}
		if i += max(dash-8, 0); i+idBytes > len(data) {
			return
		}
		if !isID(data[i : i+idBytes]) {
			continue
		}
		first, err := strconv.ParseUint(string(data[i:i+8]), 16, 32)
		if err == nil {
			copy(data[i:], fmt.Sprintf("%08x", uint32(first)^uint32(number)*2654435761)) //nolint:gosec // spreads the numbers
		}
		i += idBytes - 1
	}
}

func isID(text []byte) bool {
	for i, c := range text {
		if i == 8 || i == 13 || i == 18 || i == 23 {
			if c != '-' {
				return false
			}
		} else if (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return false
		}
	}
	return true
}
