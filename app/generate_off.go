//go:build (desktop || dev) && !bindings

package app

// generating says that this build only writes the bindings for TypeScript.
const generating = false
