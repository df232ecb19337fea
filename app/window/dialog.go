package window

import (
	"encoding/json"
	"fmt"
	"os"

	"coppice/app/internal/exit"
	"coppice/backend/core"
	"coppice/backend/lists"
)

// DialogVerb is the first argument of a process that shows one file dialog and exits. A dialog opens files to detect their
// types; in a separate process it cannot release the library's locks.
const DialogVerb = "__dialog"

// dialogKind is the kind of a file dialog.
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
	Name       string     `json:"name,omitempty"`       // suggested name of the file to save
	Single     bool       `json:"single,omitempty"`     // only one file can be chosen
	FilterName string     `json:"filterName,omitempty"` // empty: no filter
	Patterns   []string   `json:"patterns,omitempty"`
	MIMETypes  []string   `json:"mimeTypes,omitempty"`
	Accept     string     `json:"accept"` // label of the button
	Cancel     string     `json:"cancel"`
	AllFiles   string     `json:"allFiles"` // label of the filter for all files
	Dark       bool       `json:"dark,omitempty"`
	Parent     uint64     `json:"parent,omitempty"` // X11 window that the dialog is a child of
}

// dialogAnswer is the user's choice. It has no path if the user closed the dialog.
type dialogAnswer struct {
	Paths []string `json:"paths"`
}

// DialogMain runs the process that shows a dialog. It prints the answer as JSON and returns the exit code.
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
