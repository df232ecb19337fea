//go:build linux && (desktop || dev || bindings)

package window

import (
	"bytes"
	"context"
	"encoding/json"
	"os/exec"
	"strings"

	"coppice/backend/core"
)

func (h *wailsHost) openFiles(title string, extensions []string) ([]string, error) {
	patterns := make([]string, len(extensions))
	for i, extension := range extensions {
		patterns[i] = "*" + extension
	}
	return h.dialog(dialogRequest{Kind: dialogFiles, Title: title, FilterName: h.filterName(patterns), Patterns: patterns})
}

func (h *wailsHost) openFolder(title string) (string, error) {
	return only(h.dialog(dialogRequest{Kind: dialogFolder, Title: title}))
}

func (h *wailsHost) saveFile(title, suggested string) (string, error) {
	return only(h.dialog(dialogRequest{Kind: dialogSave, Title: title, Name: suggested}))
}

func only(paths []string, err error) (string, error) {
	if err != nil || len(paths) == 0 {
		return "", err
	}
	return paths[0], nil
}

// dialog shows a file dialog in a separate process and waits for the answer. The process ends with the window.
func (h *wailsHost) dialog(request dialogRequest) (paths []string, err error) {
	if !h.asking.TryLock() {
		return nil, core.E(core.Busy, "a file dialog is open already").WithHint("close it first")
	}
	defer h.asking.Unlock()
	if !h.with(func(ctx context.Context) { paths, err = runDialog(ctx, "/proc/self/exe", request.in(h)) }) {
		err = core.E(core.Unavailable, "the window is not open yet")
	}
	return paths, core.Wrap(core.Unavailable, err, "open the dialog")
}

// in returns the request with the window's theme, language and X11 identifier.
func (r dialogRequest) in(h *wailsHost) dialogRequest {
	r.Parent, r.Dark = windowID(), h.dark.Load()
	t := h.texts.Now()
	r.Accept, r.Cancel, r.AllFiles = t.Open, t.Cancel, t.AllFiles
	if r.Kind == dialogSave {
		r.Accept = t.Save
	}
	return r
}

// runDialog runs a program that shows a dialog. It keeps the program's standard input open until ctx ends.
func runDialog(ctx context.Context, program string, request dialogRequest) ([]string, error) {
	text, err := json.Marshal(request)
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, program, DialogVerb, string(text)) //nolint:gosec // this program itself
	var said bytes.Buffer
	cmd.Stderr = &said
	input, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	defer input.Close() //nolint:errcheck // nothing was written to it
	output, err := cmd.Output()
	if ctx.Err() != nil {
		return nil, core.E(core.Canceled, "the window is closing")
	}
	var answer dialogAnswer
	if err == nil {
		err = json.Unmarshal(output, &answer)
	}
	if err != nil {
		why := core.Wrap(core.Unavailable, err, "the dialog ended without an answer: %s", lastLine(said.String()))
		return nil, core.E(core.Unavailable, "%v", why).WithHint("try again")
	}
	return answer.Paths, nil
}

// lastLine returns the last line of a program's output.
func lastLine(text string) string {
	text = strings.TrimSpace(text)
	return text[strings.LastIndexByte(text, '\n')+1:]
}
