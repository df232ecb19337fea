package window

import (
	"os"
	"path/filepath"

	"coppice/backend/core"
)

// checkDisplay returns an error with a hint if no window can be shown. Without this check, the toolkit would only exit.
func checkDisplay() error {
	if os.Getenv("DISPLAY") != "" || os.Getenv("WAYLAND_DISPLAY") != "" {
		return nil
	}
	return core.E(core.Unavailable, "no display to open a window on").
		WithHint("xvfb-run -a coppice opens it unseen; coppice --help lists what works without a window")
}

// chooseRenderer turns off WebKit's DMA-BUF renderer on machines without a graphics card, where it is slower. It must stay
// on if there is a graphics card.
func chooseRenderer() {
	if _, set := os.LookupEnv("WEBKIT_DISABLE_DMABUF_RENDERER"); set || hasGraphicsCard() {
		return
	}
	_ = os.Setenv("WEBKIT_DISABLE_DMABUF_RENDERER", "1") // an error only makes drawing slower
}

// hasGraphicsCard reports whether the kernel's direct rendering manager has a render node.
func hasGraphicsCard() bool {
	nodes, err := filepath.Glob("/dev/dri/renderD*")
	return err == nil && len(nodes) > 0
}
