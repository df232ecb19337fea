//go:build (desktop || bindings) && !dev

package window

import "github.com/wailsapp/wails/v2/pkg/options/assetserver"

func checkTestLibrary(string) error { return nil }

func testMiddleware() assetserver.Middleware { return nil }
