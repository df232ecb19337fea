package archive

import (
	"bytes"
	"encoding/json"
)

// replaceStrings applies replace to each string of a JSON text, names of fields included.
func replaceStrings(data []byte, replace func(string) string) []byte {
	var out bytes.Buffer
	kept := 0 // everything before it is in out
	for at := 0; at < len(data); at++ {
		if data[at] != '"' {
			continue
		}
		end := at + 1
		for end < len(data) && data[end] != '"' {
			if data[end] == '\\' {
				end++
			}
			end++
		}
		var before string
		if end >= len(data) || json.Unmarshal(data[at:end+1], &before) != nil {
			break
		}
		if after := replace(before); after != before {
			if quoted, err := encode(after); err == nil {
				out.Write(data[kept:at])
				out.Write(quoted)
				kept = end + 1
			}
		}
		at = end
	}
	out.Write(data[kept:])
	return out.Bytes()
}
