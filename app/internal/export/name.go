package export

import (
	"strings"

	"coppice/app/internal/present"
	"coppice/backend/core"
)

// nameLength is the maximum length of the title in a file name.
const nameLength = 40

// fileNames returns file names for sessions; short holds the ids of the sessions. The names are unique and safe on
// every system: they contain only letters, digits, dots, dashes and underscores, and have no leading dot. The id
// prevents reserved names.
func fileNames(sessions []core.Session, short []string, extension string) []string {
	names := make([]string, len(sessions))
	for i, s := range sessions {
		names[i] = short[i] + "." + extension
		if slug := Slug(present.SessionTitle(s)); slug != "" {
			names[i] = slug + "-" + names[i]
		}
	}
	return names
}

// Slug returns the part of a file name that represents a title; empty if no character can be used.
func Slug(title string) string {
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
