//go:build linux && bindings && !desktop && !dev

package app

func (*wailsHost) adoptPage() {}

func windowID() uint64 { return 0 }
