//go:build desktop || dev || bindings

package window

import "github.com/wailsapp/wails/v2/pkg/options/linux"

// gpuPolicy returns WebKit's policy for hardware acceleration: always on a machine with a graphics card, else on demand. The
// policy Never would make screenshots by WebDriver hang.
func gpuPolicy() linux.WebviewGpuPolicy {
	if hasGraphicsCard() {
		return linux.WebviewGpuPolicyAlways
	}
	return linux.WebviewGpuPolicyOnDemand
}
