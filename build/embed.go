// Package build carries what the program needs of its packaging: the window's icon.
package build

import _ "embed" // for Icon

// Icon is the application's icon, a PNG of 128×128.
//
//go:embed linux/coppice.png
var Icon []byte
