package window

import (
	"os"
	"path/filepath"

	"coppice/backend/core"
)

// checkDisplay says what to do where no window can be shown; the toolkit would only exit.
func checkDisplay() error {
	if os.Getenv("DISPLAY") != "" || os.Getenv("WAYLAND_DISPLAY") != "" {
		return nil
	}
	return core.E(core.Unavailable, "there is no display to open a window on").
		WithHint("xvfb-run -a coppice opens it unseen; coppice --help lists what works without a window")
}

// chooseRenderer turns off a way of drawing that is slower where there is no graphics card, and that
// must stay on where there is one.
func chooseRenderer() {
	if _, set := os.LookupEnv("WEBKIT_DISABLE_DMABUF_RENDERER"); set || hasGraphicsCard() {
		return
	}
	_ = os.Setenv("WEBKIT_DISABLE_DMABUF_RENDERER", "1") // only slower if it fails
}

// hasGraphicsCard looks for a render node of the kernel's direct rendering manager.
func hasGraphicsCard() bool {
	nodes, err := filepath.Glob("/dev/dri/renderD*")
	return err == nil && len(nodes) > 0
}
