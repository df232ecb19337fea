package window

import (
	"encoding/json"
	"os"
	"path/filepath"

	"github.com/adrg/xdg"

	"coppice/backend/core"
	"coppice/backend/durable"
)

// Themes of the window.
const (
	themeSystem = "system"
	themeLight  = "light"
	themeDark   = "dark"
)

// The size of the window on the first start, and its minimum size.
const (
	windowWidth     = 1280
	windowHeight    = 800
	windowMinWidth  = 720
	windowMinHeight = 480
)

// windowState is the state in which the window was closed. It is not stored in a library, because the window needs it before
// it opens one.
type windowState struct {
	Width     int    `json:"width"`
	Height    int    `json:"height"`
	X         int    `json:"x"`
	Y         int    `json:"y"`
	Placed    bool   `json:"placed"` // X and Y are valid
	Maximised bool   `json:"maximised"`
	Theme     string `json:"theme"` // for the background before the page has loaded
}

// windowStateFile is the path of the file that stores the window's state.
type windowStateFile string

// load returns the stored state, or the state for the first start if it is missing or invalid.
func (f windowStateFile) load() windowState {
	first := windowState{Width: windowWidth, Height: windowHeight, Theme: themeSystem}
	data, err := os.ReadFile(string(f))
	if err != nil {
		return first
	}
	state := first
	if json.Unmarshal(data, &state) != nil || state.Width < windowMinWidth || state.Height < windowMinHeight {
		return first
	}
	return state
}

// save stores the state atomically.
func (f windowStateFile) save(state windowState) error {
	data, err := json.Marshal(state)
	if err != nil {
		return core.Wrap(core.Internal, err, "keep the window's state")
	}
	return core.Wrap(core.Unavailable, durable.Write(string(f), func(file *os.File) error {
		_, err := file.Write(data)
		return err
	}), "keep the window's state")
}

func (f windowStateFile) setTheme(theme string) error {
	state := f.load()
	if state.Theme == theme {
		return nil
	}
	state.Theme = theme
	return f.save(state)
}

// windowStatePath returns the path of the window's state, which belongs to this machine and not to a library.
func windowStatePath() string { return filepath.Join(xdg.StateHome, "coppice", "window.json") }
