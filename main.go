// Command coppice keeps every conversation a user has with AI agents as a tree in one SQLite
// file. Without arguments it opens its window; see app for the rest.
package main

import (
	"os"

	"coppice/app"
)

func main() { os.Exit(app.Main(os.Args[1:])) }
