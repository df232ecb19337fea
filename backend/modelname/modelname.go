// Package modelname names models: providers, clouds and tools write the same model in several ways.
package modelname

import (
	"strings"

	"coppice/backend/lazyregexp"
)

var (
	// owner is a provider or a cloud before the name, such as "anthropic/", "us.anthropic." or "models/".
	owner = lazyregexp.New(`^(?:.*/|(?:[a-z]{2,4}\.)?(?:anthropic|meta|amazon|mistral|cohere)\.)`)
	// version is a date or a version of the same model at the end: "-20251101", "-2025-11-01", "@20250514", "-latest", "-v1:0".
	version = lazyregexp.New(`(?:[-@]20\d{6}|-20\d\d-\d\d-\d\d|-latest|-v\d+(?::\d+)?)+$`)
	// dotted is a version of Claude as some providers write it: "claude-opus-4.5".
	dotted = lazyregexp.New(`^(claude-.*\d)\.(\d)`)
)

// Family returns the name under which an alias and the dated ids of one model are the same: "claude-opus-4-5". The files of scripted and
// replayed models keep their names.
func Family(id string) string {
	name := strings.TrimSpace(id)
	if strings.HasPrefix(name, "script/") || strings.HasPrefix(name, "replay/") {
		return name
	}
	name = owner.ReplaceAllString(strings.ToLower(name), "")
	name = dotted.ReplaceAllString(version.ReplaceAllString(name, ""), "$1-$2")
	if name == "" {
		return id
	}
	return name
}
