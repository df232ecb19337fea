//go:build desktop || dev || bindings

package window

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io/fs"
	"log/slog"
	"strings"
	"sync/atomic"
	"time"

	"github.com/wailsapp/wails/v2"
	"github.com/wailsapp/wails/v2/pkg/logger"
	"github.com/wailsapp/wails/v2/pkg/menu"
	"github.com/wailsapp/wails/v2/pkg/options"
	"github.com/wailsapp/wails/v2/pkg/options/assetserver"
	"github.com/wailsapp/wails/v2/pkg/options/linux"
	"github.com/wailsapp/wails/v2/pkg/options/windows"
	"github.com/wailsapp/wails/v2/pkg/runtime"

	"coppice/app/internal/guard"
	"coppice/app/internal/library"
	"coppice/app/internal/memory"
	"coppice/app/window/internal/change"
	"coppice/app/window/internal/texts"
	"coppice/backend/core"
	"coppice/build"
	"coppice/frontend"
)

// window is the program's window on one library.
type window struct {
	ended    context.Context // done when the system ends the program
	path     string          // of the library
	state    windowStateFile
	host     *wailsHost
	bindings *bindings
	second   bool        // another window has the library open
	asking   atomic.Bool // the question whether to close is shown
}

// Open opens the window on a library and returns when it is closed. It calls warn with errors that do not prevent the window
// from working. The build of the TypeScript bindings runs Open as well, up to wails.Run, so Open must not have side effects
// before that.
func Open(ctx context.Context, file string, warn func(error)) error {
	path, err := library.Path(file)
	if err != nil {
		return err
	}
	w := &window{ended: ctx, path: path, state: windowStateFile(windowStatePath()), host: &wailsHost{}}
	w.bindings = newBindings(w.host, w.state)
	w.host.menu = func(t texts.Texts) *menu.Menu { return nativeMenu(w, t) }
	if !generating {
		if err := checkDisplay(); err != nil {
			return err
		}
		if err := checkTestLibrary(path); err != nil {
			return err
		}
		closeLog, err := openLog(guard.LogPath())
		if err != nil {
			warn(err) // the window works without it
		}
		defer closeLog()
		release, err := library.ClaimWindow(path)
		w.second = core.CodeOf(err) == core.Busy
		if err != nil && !w.second {
			return err
		}
		defer release()
		chooseRenderer()
	}
	if err := wails.Run(w.options()); err != nil {
		return core.Wrap(core.Unavailable, err, "open the window")
	}
	if w.second {
		return busyWindow(path)
	}
	return nil
}

func (w *window) options() *options.App {
	state := w.state.load()
	start := options.Normal
	if state.Maximised {
		start = options.Maximised
	}
	return &options.App{
		Title: "Coppice", Width: state.Width, Height: state.Height, MinWidth: windowMinWidth, MinHeight: windowMinHeight,
		WindowStartState: start,
		StartHidden:      w.second,
		BackgroundColour: background(state.Theme),
		AssetServer:      w.assets(),
		Menu:             nativeMenu(w, texts.English()),
		LogLevel:         logger.ERROR, LogLevelProduction: logger.ERROR,
		OnStartup:      w.startup,
		OnDomReady:     w.domReady,
		OnBeforeClose:  w.beforeClose,
		OnShutdown:     w.shutdown,
		Bind:           w.bindings.bound(),
		EnumBind:       []any{change.Kinds()},
		ErrorFormatter: formatError,
		// DisableWebViewDrop would also disable drops of files; drop-overlay.tsx keeps dropped pages from replacing the
		// window's page.
		DragAndDrop: &options.DragAndDrop{EnableFileDrop: true},
		SingleInstanceLock: &options.SingleInstanceLock{
			UniqueId:               "coppice_" + libraryKey(w.path), // letters, digits and _ only: it becomes a name on D-Bus
			OnSecondInstanceLaunch: func(options.SecondInstanceData) { w.raise() },
		},
		Linux:   &linux.Options{Icon: build.Icon, ProgramName: "coppice", WebviewGpuPolicy: gpuPolicy()},
		Windows: &windows.Options{Theme: windows.SystemDefault},
	}
}

// background returns the color that is shown before the page has loaded. It equals bg in styles.css.
func background(theme string) *options.RGBA {
	if theme == themeDark || theme == themeSystem && !generating && systemIsDark() {
		return options.NewRGB(0x17, 0x16, 0x14)
	}
	return options.NewRGB(0xFB, 0xFA, 0xF7)
}

func (w *window) assets() *assetserver.Options {
	built := isBuilt(frontend.Assets)
	o := &assetserver.Options{Handler: newAssets(w.bindings.program, built), Middleware: testMiddleware()}
	if built {
		if dist, err := fs.Sub(frontend.Assets, "dist"); err == nil {
			o.Assets = dist
		}
	}
	return o
}

func (w *window) startup(ctx context.Context) {
	memory.Spare()
	w.host.ready(ctx)
	if w.second {
		w.bindings.library.stop()
		return
	}
	state := w.state.load()
	w.host.showTheme(state.Theme)
	if state.Placed && !state.Maximised {
		runtime.WindowSetPosition(ctx, state.X, state.Y)
	}
	w.bindings.library.start(ctx, w.path)
}

// domReady quits a second window that could not hand over to the first one. With D-Bus, Wails has already handed over and
// quit.
func (w *window) domReady(ctx context.Context) {
	if w.second {
		runtime.Quit(ctx)
		return
	}
	w.host.adoptPage()
}

// beforeClose asks for confirmation while runs are active, and saves the size and position of the window.
func (w *window) beforeClose(ctx context.Context) (prevent bool) {
	if w.second {
		return false
	}
	if n := w.bindings.runs.Count(); n > 0 && !w.mustEnd() && !w.mayStop(ctx, n) {
		return true
	}
	if !runtime.WindowIsMinimised(ctx) {
		w.keepPlace(ctx)
	}
	return false
}

// mustEnd reports whether the system ends the program. In that case the window closes without a question, and its runs stop
// so that they can be continued. Wails closes the window on a signal too, perhaps before w.ended is done.
func (w *window) mustEnd() bool {
	select {
	case <-w.ended.Done():
		return true
	case <-time.After(100 * time.Millisecond):
		return false
	}
}

// mayStop asks the user whether to stop n runs. If the question cannot be shown, it returns false: a window that stays open
// loses nothing.
func (w *window) mayStop(ctx context.Context, n int) bool {
	if !w.asking.CompareAndSwap(false, true) {
		return false // the question is already shown
	}
	defer w.asking.Store(false)
	t := w.bindings.texts.Now()
	answer, err := runtime.MessageDialog(ctx, runtime.MessageDialogOptions{
		Type: runtime.QuestionDialog, Title: t.CloseTitle, Message: closingQuestion(t, n),
		Buttons: []string{t.StopAndClose, t.KeepRunning}, DefaultButton: t.KeepRunning, CancelButton: t.KeepRunning,
	})
	if err != nil {
		slog.Error("asking whether to close", slog.Any("error", err))
	}
	return answer == t.StopAndClose || answer == "Yes" // GTK and Windows show their own labels
}

func (w *window) keepPlace(ctx context.Context) {
	state := w.state.load()
	state.Maximised = runtime.WindowIsMaximised(ctx)
	if !state.Maximised {
		state.Width, state.Height = runtime.WindowGetSize(ctx)
		state.X, state.Y = runtime.WindowGetPosition(ctx)
		state.Placed = state.X >= 0 && state.Y >= 0
	}
	if err := w.state.save(state); err != nil {
		slog.Warn("keeping the window's place", slog.Any("error", err))
	}
}

func (w *window) shutdown(context.Context) {
	w.host.close()
	if err := w.bindings.close(); err != nil {
		slog.Error("closing the library", slog.Any("error", err))
	}
}

// raise brings the window to the front.
func (w *window) raise() {
	w.host.with(func(ctx context.Context) {
		runtime.WindowUnminimise(ctx)
		runtime.WindowShow(ctx)
	})
}

func (w *window) quit() { w.host.with(runtime.Quit) }

// libraryKey returns a short identifier of a library.
func libraryKey(path string) string {
	sum := sha256.Sum256([]byte(path))
	return hex.EncodeToString(sum[:8])
}

func busyWindow(path string) error {
	return core.E(core.Busy, "Coppice is already open with %s", path).
		WithHint("switch to its window, or open another library with --db FILE")
}

// closingQuestion returns the question whether to close the window while sessions run. GTK uses it as a format string, so it
// must not contain a percent sign.
func closingQuestion(t texts.Texts, runs int) string {
	question := t.CloseOne
	if runs > 1 {
		question = t.CloseSeveral
	}
	return strings.ReplaceAll(question, "%", "")
}
