package config

import (
	"cmp"
	"path/filepath"
)

// PricingPath returns the file with the user's own prices that a setting names, or the usual one if it names none.
func PricingPath(setting string) string {
	return cmp.Or(HomePath(setting), filepath.Join(Folder(), "pricing.json"))
}

// UserPricingPath returns the PricingPath of the user's own configuration, whatever a workspace sets. It ignores mistakes in
// the configuration, which the commands that use the rest of it report.
func UserPricingPath() string {
	set := &Settings{Config: Default(), origins: map[string]origin{}}
	if data, err := readUserFile(Path()); err == nil {
		set.apply(userFile, data, nil)
	}
	return PricingPath(set.Pricing)
}
