package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
)

// replicate copies session files until they are of a size, each copy with ids of its own, so that no two are one
// conversation. It returns the bytes written.
func replicate(paths []string, folder string, wantedBytes int64) (int64, error) {
	written := int64(0)
	for number := 0; written < wantedBytes; number++ {
		to := filepath.Join(folder, fmt.Sprintf("copy-%d", number))
		if err := os.MkdirAll(to, 0o700); err != nil {
			return written, err
		}
		for _, path := range paths {
			data, err := os.ReadFile(path)
			if err != nil {
				return written, err
			}
			renumber(data, number)
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

// idBytes is the length of an id as it is written: 8-4-4-4-12 hexadecimal digits.
const idBytes = 36

// renumber changes every id in place, the same one the same way.
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
