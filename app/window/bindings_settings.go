package window

import (
	"context"
	"encoding/json"
	"log/slog"
	"net/url"
	"slices"
	"strings"

	"coppice/app/internal/guard"
	"coppice/app/window/internal/change"
	"coppice/app/window/internal/texts"
	"coppice/backend/core"
	"coppice/backend/sqlite"
)

// Keys of the settings and of parts of the window's state in the library.
const (
	settingsKey = "window.settings"
	statePrefix = "window.state."
)

// Limits of the zoom, in percent.
const (
	zoomMin     = 50
	zoomDefault = 100
	zoomMax     = 300
)

// Limits of the size of prose, in pixels.
const (
	readingMin = 12
	readingMax = 24
)

// maxHibernateMinutes is a week.
const maxHibernateMinutes = 7 * 24 * 60

// autoLockDefault and maxAutoLockMinutes are after how long an encrypted library is locked.
const (
	autoLockDefault    = 15
	maxAutoLockMinutes = 24 * 60
)

// SettingsBindings store settings and the state of the window.
type SettingsBindings struct{ *program }

// OpenURL opens a link of the schemes http, https and mailto in the user's browser.
func (b *SettingsBindings) OpenURL(link string) error {
	return guard.Run(func() error {
		parsed, err := url.Parse(link)
		if err != nil || (parsed.Scheme != "http" && parsed.Scheme != "https" && parsed.Scheme != "mailto") {
			return core.E(core.Invalid, "open link: want http, https or mailto")
		}
		b.host.openURL(parsed.String())
		return nil
	})
}

// GetSettings returns the settings.
func (b *SettingsBindings) GetSettings() (Settings, error) {
	return call(b.program, windowSettings)
}

// SetSettings stores the settings.
func (b *SettingsBindings) SetSettings(settings Settings) error {
	_, err := call(b.program, func(ctx context.Context, db *sqlite.DB) (bool, error) {
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
		b.changes.Library(change.Settings)
		return true, b.applyTheme(settings.Theme)
	})
	return err
}

// GetState returns a part of the window's state as JSON, or an empty text if none is stored.
func (b *SettingsBindings) GetState(key string) (string, error) {
	return call(b.program, func(ctx context.Context, db *sqlite.DB) (string, error) {
		return db.Setting(ctx, statePrefix+key)
	})
}

// SetState stores a part of the window's state, which is JSON.
func (b *SettingsBindings) SetState(key, value string) error {
	_, err := call(b.program, func(ctx context.Context, db *sqlite.DB) (bool, error) {
		if strings.TrimSpace(key) == "" || !json.Valid([]byte(value)) {
			return false, core.E(core.Invalid, "store the window's state: want a key and JSON")
		}
		return true, db.PutSetting(ctx, statePrefix+key, value)
	})
	return err
}

// SetTexts stores the texts of what the page does not draw, in the language on screen.
func (b *SettingsBindings) SetTexts(t texts.Texts) error {
	return guard.Run(func() error {
		b.texts.Set(t)
		b.host.showTexts(b.texts.Now())
		return nil
	})
}

// SetFocused stores whether the user looks at the window. If not, notifications report the questions and ends of runs.
func (b *SettingsBindings) SetFocused(focused bool) error {
	return guard.Run(func() error {
		b.focused.Store(focused)
		return nil
	})
}

func windowSettings(ctx context.Context, db *sqlite.DB) (Settings, error) {
	settings := Settings{Theme: themeSystem, ZoomPercent: zoomDefault, AutoLockMinutes: autoLockDefault}
	stored, err := db.Setting(ctx, settingsKey)
	if err != nil || stored == "" {
		return settings, err
	}
	kept := settings
	if json.Unmarshal([]byte(stored), &kept) != nil || kept.check() != nil {
		return settings, nil // written by another version; defaults are better than an error at each start
	}
	return kept, nil
}

// applyTheme applies a theme to the window's frame, and stores it for the next start.
func (p *program) applyTheme(theme string) error {
	p.host.showTheme(theme)
	return p.window.setTheme(theme)
}

// applyLibraryTheme applies the theme of the open library to the window's frame. The window started with the theme of the
// library that was open before.
func (p *program) applyLibraryTheme(ctx context.Context, db *sqlite.DB) {
	settings, err := windowSettings(ctx, db)
	if err == nil && settings.Theme != p.window.load().Theme { // the frame has that theme already
		err = p.applyTheme(settings.Theme)
	}
	if err != nil {
		slog.Warn("applying the library's theme", slog.Any("error", err))
	}
}

// languages returns those that the page has texts in; the pseudo-locales are for tests.
func languages() []string {
	return []string{"en", "de", "es", "zh-Hans", "pseudo", "pseudo-rtl"}
}

func (s Settings) check() error {
	if !slices.Contains([]string{themeSystem, themeLight, themeDark}, s.Theme) {
		return core.E(core.Invalid, "unknown theme %q", s.Theme).WithHint("Use one of: %s, %s, %s", themeSystem, themeLight, themeDark)
	}
	if s.ZoomPercent < zoomMin || s.ZoomPercent > zoomMax {
		return core.E(core.Invalid, "invalid zoom %d %%: want %d to %d", s.ZoomPercent, zoomMin, zoomMax)
	}
	if s.Language != "" && !slices.Contains(languages(), s.Language) {
		return core.E(core.Invalid, "unknown language %q", s.Language).WithHint("Use one of: %s", strings.Join(languages(), ", "))
	}
	if s.ReadingFontPx != 0 && (s.ReadingFontPx < readingMin || s.ReadingFontPx > readingMax) {
		return core.E(core.Invalid, "invalid text size %d: want %d to %d", s.ReadingFontPx, readingMin, readingMax)
	}
	if !slices.Contains([]string{"", "narrow", "wide", "full"}, s.ReadingWidth) {
		return core.E(core.Invalid, "unknown width %q", s.ReadingWidth).WithHint("Use one of: narrow, wide, full")
	}
	if s.HibernateAfterMinutes < 0 || s.HibernateAfterMinutes > maxHibernateMinutes {
		return core.E(core.Invalid, "invalid time to hibernate after, %d minutes: want 0 to %d", s.HibernateAfterMinutes, maxHibernateMinutes)
	}
	if s.AutoLockMinutes < 0 || s.AutoLockMinutes > maxAutoLockMinutes {
		return core.E(core.Invalid, "invalid time to lock after, %d minutes: want 0 to %d", s.AutoLockMinutes, maxAutoLockMinutes)
	}
	return nil
}
