//go:build bindings

package window

// generating reports whether this build only writes the bindings for TypeScript.
const generating = true
