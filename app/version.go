package app

import "runtime/debug"

// version is the version in wails.json; a test holds the two together.
const version = "0.1.0"

// fullVersion adds the revision the program was built from, where it is known.
func fullVersion() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return version
	}
	for _, setting := range info.Settings {
		if setting.Key == "vcs.revision" && len(setting.Value) >= 12 {
			return version + " (" + setting.Value[:12] + ")"
		}
	}
	return version
}
