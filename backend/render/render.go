// Package render turns messages into what people read: safe HTML for the window and the HTML
// export, and Markdown. There is one renderer for both, so that an export looks like the screen.
//
// Untrusted text never becomes markup: raw HTML in Markdown is shown as text, everything goes
// through an allow-list sanitiser, and links lead to http, https and mailto only.
package render
