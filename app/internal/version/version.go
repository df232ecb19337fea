// Package version defines the version of the program.
package version

import "runtime/debug"

// Number is the version of the program. A test requires that it equals the version in wails.json.
const Number = "0.1.0"

// Full returns the version and the revision that the program was built from, if it is known.
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
