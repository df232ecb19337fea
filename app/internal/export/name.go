package export

import (
	"strings"

	"coppice/app/internal/present"

	"coppice/backend/core"
)

// nameLength is how much of a title a file's name holds.
const nameLength = 40

// fileNames returns names for files of sessions, of which short has the ids; all different and safe on every system: letters,
// digits, dots, dashes and underscores only, no leading dot, and the id makes them no reserved name.
func fileNames(sessions []core.Session, short []string, extension string) []string {
	names := make([]string, len(sessions))
	for i, s := range sessions {
		names[i] = short[i] + "." + extension
		if slug := slugOf(present.SessionTitle(s)); slug != "" {
			names[i] = slug + "-" + names[i]
		}
	}
	return names
}

// slugOf makes a title a part of a file's name; empty where none of it can be kept.
func slugOf(title string) string {
	var slug strings.Builder
	gap := false
	for _, r := range strings.ToLower(title) {
		if r < 'a' || r > 'z' {
			if r < '0' || r > '9' {
				gap = slug.Len() > 0
				continue
			}
		}
		if slug.Len() >= nameLength {
			break
		}
		if gap {
			slug.WriteByte('-')
			gap = false
		}
		slug.WriteRune(r)
	}
	return slug.String()
}
