package archive

import (
	"errors"

	"coppice/backend/core"
)

// header is the beginning of every file.
type header struct {
	Format       string `json:"format"`
	Version      int64  `json:"version"`
	Generator    string `json:"generator"`
	ExportedAtMs int64  `json:"exportedAtMs"`
}

// check returns an error if this program cannot read what the header announces.
func (h header) check() error {
	switch h.Format {
	case formatSession, formatArchive, formatLines:
	case "":
		return core.E(core.Invalid, `not a file of Coppice: it has no "format"`)
	default:
		return core.E(core.Invalid, "unknown format %q", core.Preview(h.Format, 60))
	}
	if h.Version > Version {
		return core.E(core.TooNew, "written by a newer Coppice: version %d of %s, this one reads up to %d", h.Version, h.Format, Version).
			WithHint("update Coppice")
	}
	if h.Version < 1 {
		return core.E(core.Invalid, "%s has no valid version", h.Format)
	}
	return nil
}

// header reads format and version of the next JSON object. In files that Coppice wrote they come first; otherwise it
// reads as much of the object as necessary. It does not move t.
func (t text) header() (header, error) {
	var h header
	missing := 2
	err := t.members(func(name string) error {
		var err error
		switch name {
		case "format":
			missing--
			err = t.value(&h.Format)
		case "version":
			missing--
			err = t.value(&h.Version)
		default:
			err = t.skip()
		}
		if err == nil && missing == 0 {
			return errStop
		}
		return err
	})
	if errors.Is(err, errStop) {
		err = nil
	}
	return h, err
}
