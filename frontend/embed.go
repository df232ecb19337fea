// Package frontend carries the built user interface inside the program.
package frontend

import "embed"

// Assets holds the folder dist. It holds only .gitkeep where the interface was not built.
//
//go:embed all:dist
var Assets embed.FS

// Commands is the table of all actions, JSON: name → {title, group, keys, scope, hidden}; see src/lib/keys/commands.ts.
//
//go:embed src/lib/keys/commands.json
var Commands []byte

// Menu is the menu of the page and of the menu bar, JSON: a list of {title, entries}, where entries are names in Commands or "separator".
//
//go:embed src/lib/keys/menu.json
var Menu []byte
