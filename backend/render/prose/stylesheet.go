package prose

import _ "embed"

//go:embed prose.css
var stylesheet string

// Stylesheet returns the CSS for what this package writes inside an element of the class prose, for code and for diffs.
// It names colors only by the variables of the page: --text-2, --text-3, --accent, --you, --tool, --reasoning,
// --error, --sunken, --border, --border-strong, --diff-add, --diff-del and --font-mono; so one sheet serves both
// themes.
func Stylesheet() string { return stylesheet }
