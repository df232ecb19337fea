package window

import (
	"context"
	"encoding/json"
	"log/slog"
	"slices"
	"strings"

	"coppice/backend/core"
	"coppice/backend/sqlite"
)

// Where the store keeps what a person sets, and pieces of the window's state.
const (
	settingsKey = "window.settings"
	statePrefix = "window.state."
)

// The limits of zoom, in percent.
const (
	zoomMin     = 50
	zoomDefault = 100
	zoomMax     = 300
)

// GetSettings returns the settings.
func (b *Bindings) GetSettings() (Settings, error) {
	return call(b, windowSettings)
}

func windowSettings(ctx context.Context, db *sqlite.DB) (Settings, error) {
	settings := Settings{Theme: themeSystem, ZoomPercent: zoomDefault}
	stored, err := db.Setting(ctx, settingsKey)
	if err != nil || stored == "" {
		return settings, err
	}
	kept := settings
	if json.Unmarshal([]byte(stored), &kept) != nil || kept.check() != nil {
		return settings, nil // of another version: better the usual than an error at each start
	}
	return kept, nil
}

// SetSettings keeps the settings.
func (b *Bindings) SetSettings(settings Settings) error {
	_, err := call(b, func(ctx context.Context, db *sqlite.DB) (bool, error) {
		if err := settings.check(); err != nil {
			return false, err
		}
		value, err := json.Marshal(settings)
		if err != nil {
			return false, err
		}
		if err := db.PutSetting(ctx, settingsKey, string(value)); err != nil {
			return false, err
		}
		b.changes.tell(changedSettings)
		return true, b.wear(settings.Theme)
	})
	return err
}

// wear gives the window's frame the theme, now and from its next start on.
func (b *Bindings) wear(theme string) error {
	b.host.showTheme(theme)
	return b.window.setTheme(theme)
}

// wearOwn gives the window's frame the theme of the library that it has opened: until then it has that of the one before.
func (b *Bindings) wearOwn(ctx context.Context, db *sqlite.DB) {
	settings, err := windowSettings(ctx, db)
	if err == nil && settings.Theme != b.window.load().Theme { // it started with that one
		err = b.wear(settings.Theme)
	}
	if err != nil {
		slog.Warn("taking over the library's theme", slog.Any("error", err))
	}
}

func (s Settings) check() error {
	if !slices.Contains([]string{themeSystem, themeLight, themeDark}, s.Theme) {
		return core.E(core.Invalid, "unknown theme %q", s.Theme).WithHint("one of: %s, %s, %s", themeSystem, themeLight, themeDark)
	}
	if s.ZoomPercent < zoomMin || s.ZoomPercent > zoomMax {
		return core.E(core.Invalid, "zoom is %d %%, it must be %d to %d", s.ZoomPercent, zoomMin, zoomMax)
	}
	return nil
}

// GetState returns a piece of the window's state, JSON; empty where there is none.
func (b *Bindings) GetState(key string) (string, error) {
	return call(b, func(ctx context.Context, db *sqlite.DB) (string, error) {
		return db.Setting(ctx, statePrefix+key)
	})
}

// SetState keeps a piece of the window's state, JSON.
func (b *Bindings) SetState(key, value string) error {
	_, err := call(b, func(ctx context.Context, db *sqlite.DB) (bool, error) {
		if strings.TrimSpace(key) == "" || !json.Valid([]byte(value)) {
			return false, core.E(core.Invalid, "a piece of state needs a key and JSON")
		}
		return true, db.PutSetting(ctx, statePrefix+key, value)
	})
	return err
}
