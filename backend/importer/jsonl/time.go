package jsonl

import (
	"time"

	"github.com/tidwall/gjson"
)

// Millis reads an RFC 3339 time, or a number of milliseconds; 0 for anything else.
func Millis(v gjson.Result) int64 {
	if v.Type == gjson.Number && v.Num > 0 && v.Num < 1<<53 {
		return int64(v.Num)
	}
	t, err := time.Parse(time.RFC3339Nano, Text(v))
	if err != nil {
		return 0
	}
	return t.UnixMilli()
}
