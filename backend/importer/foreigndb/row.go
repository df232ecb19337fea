package foreigndb

import (
	"math"
	"slices"
	"strconv"
)

// Row is a row of a result. It is valid until the next one is read; its texts stay valid.
type Row struct {
	names  []string
	values []any
}

// Has reports whether there is such a column and it is not NULL.
func (r Row) Has(name string) bool { return r.value(name) != nil }

// Names are the columns, in order.
func (r Row) Names() []string { return r.names }

func (r Row) value(name string) any {
	if i := slices.Index(r.names, name); i >= 0 {
		return r.values[i]
	}
	return nil
}

// Text returns a column as text, a number in decimals; empty for NULL and for a missing column.
func (r Row) Text(name string) string {
	switch v := r.value(name).(type) {
	case string:
		return v
	case []byte:
		return string(v)
	case int64:
		return strconv.FormatInt(v, 10)
	case float64:
		return strconv.FormatFloat(v, 'g', -1, 64)
	default:
		return ""
	}
}

// Int returns a column as a whole number; 0 for anything else.
func (r Row) Int(name string) int64 {
	switch v := r.value(name).(type) {
	case int64:
		return v
	case float64:
		if math.Abs(v) < 1<<53 {
			return int64(v)
		}
	}
	return 0
}
