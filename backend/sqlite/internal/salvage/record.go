package salvage

import (
	"encoding/binary"
	"errors"
	"math"
)

// maxColumns is the largest number of columns that SQLite allows by default.
const maxColumns = 2000

var errRecord = errors.New("a record contradicts itself")

// varint reads a number of 1 to 9 bytes and returns how many; 0 if data ends before it.
func varint(data []byte) (value int64, n int) {
	var v uint64
	for i, b := range data[:min(len(data), 9)] {
		if i == 8 {
			return int64(v<<8 | uint64(b)), 9 //nolint:gosec // bits, not a number
		}
		if v = v<<7 | uint64(b&0x7f); b < 0x80 {
			return int64(v), i + 1 //nolint:gosec // bits, not a number
		}
	}
	return 0, 0
}

// decodeRecord returns the values of a record: nil, int64, float64, string or []byte. The lengths must add up to that of the record.
func decodeRecord(data []byte) ([]any, error) {
	size, n := varint(data)
	if n == 0 || size < int64(n) || size > int64(len(data)) {
		return nil, errRecord
	}
	head, body := data[n:size], data[size:]
	values := make([]any, 0, min(len(head), maxColumns))
	for len(head) > 0 {
		kind, n := varint(head)
		if n == 0 || len(values) == maxColumns {
			return nil, errRecord
		}
		head = head[n:]
		value, used, err := decodeValue(kind, body)
		if err != nil {
			return nil, err
		}
		values, body = append(values, value), body[used:]
	}
	if len(body) > 0 {
		return nil, errRecord
	}
	return values, nil
}

func decodeValue(kind int64, body []byte) (value any, used int, err error) {
	sizes := [...]int{0, 1, 2, 3, 4, 6, 8, 8, 0, 0}
	switch {
	case kind < 0 || kind == 10 || kind == 11:
		return nil, 0, errRecord
	case kind < 10:
		used = sizes[kind]
	case (kind-12)/2 > int64(len(body)):
		return nil, 0, errRecord
	default:
		used = int((kind - 12) / 2)
	}
	if used > len(body) {
		return nil, 0, errRecord
	}
	switch {
	case kind == 0:
		return nil, 0, nil
	case kind == 7:
		return math.Float64frombits(binary.BigEndian.Uint64(body)), used, nil
	case kind == 8, kind == 9:
		return kind - 8, 0, nil
	case kind < 7:
		return integer(body[:used]), used, nil
	case kind%2 == 1:
		return string(body[:used]), used, nil
	}
	return append([]byte{}, body[:used]...), used, nil
}

// integer reads a big-endian two's complement number.
func integer(data []byte) int64 {
	v := int64(int8(data[0]))
	for _, b := range data[1:] {
		v = v<<8 | int64(b)
	}
	return v
}
