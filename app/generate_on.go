//go:build bindings

package app

// generating says that this build only writes the bindings for TypeScript.
const generating = true
