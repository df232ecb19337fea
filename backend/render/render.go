// Package render turns messages into what people read: safe HTML for the window and the HTML
// export, and Markdown. There is one renderer for both, so that an export looks like the screen.
//
// Untrusted text never becomes markup: raw HTML in Markdown is shown as text, everything goes
// through an allow-list sanitiser, and links lead to http, https and mailto only.
package render

import (
	"coppice/backend/render/plain"
	"coppice/backend/render/prose"
)

// Renderer makes views and exports. It holds what is costly to make once, and is safe for concurrent use.
type Renderer struct {
	prose *prose.Renderer
	plain *plain.Cleaner
	tools map[string]tool
}

// New returns a Renderer.
func New() *Renderer {
	return &Renderer{prose: prose.New(), plain: plain.NewCleaner(), tools: knownTools()}
}
