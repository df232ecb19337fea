package window

import (
	"strings"

	"coppice/backend/launch"
)

// shownAs returns the type with which a content is served, and whether the browser may show it instead of downloading it.
func shownAs(mimeType string) (contentType string, inline bool) {
	kind, _, _ := strings.Cut(strings.ToLower(mimeType), ";")
	switch kind = strings.TrimSpace(kind); {
	case launch.IsImage(kind):
		return kind, true
	case strings.HasPrefix(kind, "text/"), kind == "application/json":
		return "text/plain; charset=utf-8", true
	default:
		return "application/octet-stream", false
	}
}
