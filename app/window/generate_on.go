//go:build bindings

package window

// generating says that this build only writes the bindings for TypeScript.
const generating = true
