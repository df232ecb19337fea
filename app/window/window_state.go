package window

import (
	"encoding/json"
	"os"
	"path/filepath"

	"github.com/adrg/xdg"

	"coppice/backend/core"
	"coppice/backend/durable"
)

// The themes.
const (
	themeSystem = "system"
	themeLight  = "light"
	themeDark   = "dark"
)

// The window's size on the first start, and the smallest it can be made.
const (
	windowWidth     = 1280
	windowHeight    = 800
	windowMinWidth  = 720
	windowMinHeight = 480
)

// windowState is how the window was left. It is kept beside no library, because the window must
// know it before it opens one.
type windowState struct {
	Width     int    `json:"width"`
	Height    int    `json:"height"`
	X         int    `json:"x"`
	Y         int    `json:"y"`
	Placed    bool   `json:"placed"` // X and Y are known
	Maximised bool   `json:"maximised"`
	Theme     string `json:"theme"` // for the colour before the page is there
}

// windowStateFile is where that is kept.
type windowStateFile string

// load returns how the window was left; the first start's state where that is unknown or makes no sense.
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

// save keeps the state, whole or not at all.
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

// windowStatePath is where the window keeps its size and place, which belong to this machine
// and not to a library.
func windowStatePath() string { return filepath.Join(xdg.StateHome, "coppice", "window.json") }
