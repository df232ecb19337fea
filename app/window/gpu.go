//go:build desktop || dev || bindings

package window

import "github.com/wailsapp/wails/v2/pkg/options/linux"

// gpuPolicy lets WebKit decide where there is a graphics card. Never would make screenshots by WebDriver hang.
func gpuPolicy() linux.WebviewGpuPolicy {
	if hasGraphicsCard() {
		return linux.WebviewGpuPolicyAlways
	}
	return linux.WebviewGpuPolicyOnDemand
}
