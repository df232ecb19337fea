//go:build linux && bindings && !desktop && !dev

package window

func (*wailsHost) adoptPage() {}

func windowID() uint64 { return 0 }
