//go:build desktop || dev || bindings

package window

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io/fs"
	"log/slog"
	"sync/atomic"
	"time"

	"coppice/app/internal/guard"

	"coppice/app/internal/memory"

	"github.com/wailsapp/wails/v2"
	"github.com/wailsapp/wails/v2/pkg/logger"
	"github.com/wailsapp/wails/v2/pkg/options"
	"github.com/wailsapp/wails/v2/pkg/options/assetserver"
	"github.com/wailsapp/wails/v2/pkg/options/linux"
	"github.com/wailsapp/wails/v2/pkg/options/windows"
	"github.com/wailsapp/wails/v2/pkg/runtime"

	"coppice/app/internal/library"
	"coppice/backend/core"
	"coppice/build"
	"coppice/frontend"
)

// window is the program's window on one library.
type window struct {
	ended    context.Context // of the program: done where the system ends it
	path     string          // of the library
	state    windowStateFile
	host     *wailsHost
	bindings *Bindings
	second   bool        // another window has the library open
	asking   atomic.Bool // whether to close
}

// Open opens the window on a library and returns when it is closed. warn is called with errors that the window works without. Building the bindings for TypeScript runs it
// too, up to wails.Run, so nothing may be touched before that.
func Open(ctx context.Context, file string, warn func(error)) error {
	path, err := library.Path(file)
	if err != nil {
		return err
	}
	w := &window{ended: ctx, path: path, state: windowStateFile(windowStatePath()), host: &wailsHost{}}
	w.bindings = newBindings(w.host, w.state)
	if !generating {
		if err := checkDisplay(); err != nil {
			return err
		}
		if err := checkTestLibrary(path); err != nil {
			return err
		}
		closeLog, err := openLog(guard.LogPath())
		if err != nil {
			warn(err) // the window works without
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
		Menu:             wailsMenu(w),
		LogLevel:         logger.ERROR, LogLevelProduction: logger.ERROR,
		OnStartup:      w.startup,
		OnDomReady:     w.domReady,
		OnBeforeClose:  w.beforeClose,
		OnShutdown:     w.shutdown,
		Bind:           []any{w.bindings},
		ErrorFormatter: formatError,
		// DisableWebViewDrop would take the drops of files away with those of the page; drop-overlay.tsx keeps these from leading away.
		DragAndDrop: &options.DragAndDrop{EnableFileDrop: true},
		SingleInstanceLock: &options.SingleInstanceLock{
			UniqueId:               "coppice_" + libraryKey(w.path), // letters, digits and _ only: it becomes a name on D-Bus
			OnSecondInstanceLaunch: func(options.SecondInstanceData) { w.raise() },
		},
		Linux:   &linux.Options{Icon: build.Icon, ProgramName: "coppice", WebviewGpuPolicy: gpuPolicy()},
		Windows: &windows.Options{Theme: windows.SystemDefault},
	}
}

// background is the colour before the page is there; it is that of bg in styles.css.
func background(theme string) *options.RGBA {
	if theme == themeDark || theme == themeSystem && !generating && systemIsDark() {
		return options.NewRGB(0x17, 0x16, 0x14)
	}
	return options.NewRGB(0xFB, 0xFA, 0xF7)
}

func (w *window) assets() *assetserver.Options {
	built := isBuilt(frontend.Assets)
	o := &assetserver.Options{Handler: newAssets(w.bindings, built), Middleware: testMiddleware()}
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

// domReady ends a second window that could not hand over to the first one; with D-Bus it did and is gone by now.
func (w *window) domReady(ctx context.Context) {
	if w.second {
		runtime.Quit(ctx)
		return
	}
	w.host.adoptPage()
}

// beforeClose asks where runs go on, and keeps where the window was.
func (w *window) beforeClose(ctx context.Context) (prevent bool) {
	if w.second {
		return false
	}
	if n := w.bindings.runs.count(); n > 0 && !w.mustEnd() && !w.mayStop(ctx, n) {
		return true
	}
	if !runtime.WindowIsMinimised(ctx) {
		w.keepPlace(ctx)
	}
	return false
}

// mustEnd says whether the system ends the program: then nobody is asked, and the runs stop where they can go on. Wails closes the
// window by itself on a signal, perhaps before we have heard of it.
func (w *window) mustEnd() bool {
	select {
	case <-w.ended.Done():
		return true
	case <-time.After(100 * time.Millisecond):
		return false
	}
}

// The answers to the question whether to close. GTK and Windows have their own words for them.
const (
	stopAndClose = "Stop and close"
	keepRunning  = "Keep running"
)

// mayStop asks whether to stop so many runs. Who cannot be asked keeps them: nothing is lost by a window that stays open.
func (w *window) mayStop(ctx context.Context, n int) bool {
	if !w.asking.CompareAndSwap(false, true) {
		return false // it was asked already
	}
	defer w.asking.Store(false)
	answer, err := runtime.MessageDialog(ctx, runtime.MessageDialogOptions{
		Type: runtime.QuestionDialog, Title: "Stop and close?", Message: closingQuestion(n),
		Buttons: []string{stopAndClose, keepRunning}, DefaultButton: keepRunning, CancelButton: keepRunning,
	})
	if err != nil {
		slog.Error("asking whether to close", slog.Any("error", err))
	}
	return answer == stopAndClose || answer == "Yes"
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

// libraryKey names a library in a few letters.
func libraryKey(path string) string {
	sum := sha256.Sum256([]byte(path))
	return hex.EncodeToString(sum[:8])
}

func busyWindow(path string) error {
	return core.E(core.Busy, "Coppice is already open with %s", path).
		WithHint("switch to its window, or open another library with --db FILE")
}
