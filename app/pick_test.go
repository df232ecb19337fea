package app

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// pick returns the value at a path of a JSON value as text. A path consists of fields and indexes joined by dots, len
// for the length of a list, and ? for the names of the fields of an object.
func pick(value any, path string) string {
	for _, step := range strings.Split(path, ".") {
		switch at := value.(type) {
		case map[string]any:
			if step == "?" {
				names := make([]string, 0, len(at))
				for name := range at {
					names = append(names, name)
				}
				slices.Sort(names)
				return strings.Join(names, " ")
			}
			found, ok := at[step]
			if !ok {
				return "(no field " + step + ")"
			}
			value = found
		case []any:
			if step == "len" {
				return strconv.Itoa(len(at))
			}
			i, err := strconv.Atoi(step)
			if err != nil || i >= len(at) {
				return "(no element " + step + ")"
			}
			value = at[i]
		default:
			return fmt.Sprintf("(nothing at %s)", step)
		}
	}
	if text, ok := value.(string); ok {
		return text
	}
	data, err := json.Marshal(value)
	if err != nil {
		return err.Error()
	}
	return string(data)
}
