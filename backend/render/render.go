// Package render turns messages into safe HTML for the window and the HTML export, and into Markdown. One renderer
// serves both, so that an export looks like the screen.
//
// Untrusted text never becomes markup: raw HTML in Markdown is shown as text, all output passes an allow-list
// sanitiser, and links lead to http, https and mailto only.
package render

import (
	"coppice/backend/render/plain"
	"coppice/backend/render/prose"
	"coppice/backend/toolcall"
)

// Renderer makes views and exports. It holds what is expensive to create, and is safe for concurrent use.
type Renderer struct {
	prose *prose.Renderer
	plain *plain.Cleaner
	tools toolcall.Tools
}

// New returns a Renderer.
func New() *Renderer {
	return &Renderer{prose: prose.New(), plain: plain.NewCleaner(), tools: toolcall.Known()}
}
