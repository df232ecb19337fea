// Package version has the version of the program.
package version

import "runtime/debug"

// Number is the version in wails.json; a test holds the two together.
const Number = "0.1.0"

// Full adds the revision the program was built from, where it is known.
func Full() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return Number
	}
	for _, setting := range info.Settings {
		if setting.Key == "vcs.revision" && len(setting.Value) >= 12 {
			return Number + " (" + setting.Value[:12] + ")"
		}
	}
	return Number
}
