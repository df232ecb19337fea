package window

import (
	"encoding/json"
	"fmt"
	"os"

	"coppice/app/internal/exit"

	"coppice/backend/lists"

	"coppice/backend/core"
)

// DialogVerb is the first argument of the program when it is to show one file dialog and end. A dialog opens files to
// findHits out what they are; in a process of its own it cannot touch the library's locks.
const DialogVerb = "__dialog"

// dialogKind is what a file dialog asks for.
type dialogKind string

const (
	dialogFiles  dialogKind = "files"
	dialogFolder dialogKind = "folder"
	dialogSave   dialogKind = "save"
)

// dialogRequest is a file dialog to show. It is passed to the process as JSON.
type dialogRequest struct {
	Kind       dialogKind `json:"kind"`
	Title      string     `json:"title"`
	Name       string     `json:"name,omitempty"`       // of the file to save
	Single     bool       `json:"single,omitempty"`     // one file at most
	FilterName string     `json:"filterName,omitempty"` // empty: there are no filters
	Patterns   []string   `json:"patterns,omitempty"`
	MIMETypes  []string   `json:"mimeTypes,omitempty"`
	Dark       bool       `json:"dark,omitempty"`
	Parent     uint64     `json:"parent,omitempty"` // X11 window that the dialog belongs to
}

// dialogAnswer is what the user chose; it has no path if the dialog was closed.
type dialogAnswer struct {
	Paths []string `json:"paths"`
}

// DialogMain is the whole of a process that shows a dialog. It prints the answer as JSON.
func DialogMain(args []string) int {
	if err := answerDialog(args); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return exit.Code(err)
	}
	return 0
}

func answerDialog(args []string) error {
	if len(args) != 1 {
		return core.E(core.Invalid, "show a dialog: want one request")
	}
	var request dialogRequest
	if err := json.Unmarshal([]byte(args[0]), &request); err != nil {
		return core.Wrap(core.Invalid, err, "read the request for a dialog")
	}
	paths, err := showDialog(request)
	if err != nil {
		return err
	}
	return core.Wrap(core.Unavailable, json.NewEncoder(os.Stdout).Encode(dialogAnswer{Paths: lists.NonNil(paths)}), "answer the dialog")
}
