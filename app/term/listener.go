package term

import (
	"context"
	"errors"
	"io"
	"os"
	"slices"
	"strings"
	"sync"

	"coppice/app/term/line"
	"coppice/backend/core"
	"coppice/backend/engine"
)

// inputListener takes what a person types while a run goes on: words for the model, which hears them before its next step. It reads the terminal
// key by key, so that the first one makes room for a line, and what the run shows waits until that is entered. A question is
// asked between two lines: nothing that was typed before it can answer it.
type inputListener struct {
	person  *Prompter
	signals *signals
	editor  *line.Editor
	view    *runView
	run     context.Context // a line that is being typed ends with the run

	shut func() // ends the listening; nil: it does not go on

	mu     sync.Mutex
	queue  []string // said and not yet a message of the session
	handed int      // so many of the queue the engine has taken
	left   []string // what is not for this run, or was not entered when it ended
}

// interruptKey is what Ctrl+C sends where the terminal makes no signal of it.
const interruptKey = 0x03

// begin listens to what is said to a run, until over is called.
func (e *inputListener) begin(ctx context.Context, view *runView, task *engine.Task) (over func()) {
	e.view = view
	task.Steer = e.steer
	task.Observe = func(event engine.Event) {
		e.observe(event)
		view.observe(event)
	}
	run, cancel := context.WithCancel(ctx)
	e.run = run
	e.open()
	return func() {
		cancel()
		e.close()
	}
}

// open begins to listen. Where the terminal cannot be read so, nobody does.
func (e *inputListener) open() {
	restore, err := e.person.raw(e.signals)
	if err != nil {
		return
	}
	e.view.setRaw(true)
	e.person.Write(line.PasteOn)
	waiting, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		e.listen(waiting)
	}()
	e.shut = func() {
		cancel()
		<-done
		e.person.Write(line.PasteOff)
		restore()
		e.view.setRaw(false)
		e.shut = nil
	}
}

// close ends the listening, when a line that is being typed is entered or the run is over.
func (e *inputListener) close() {
	if e.shut != nil {
		e.shut()
	}
}

// aside does something that needs the terminal as other programs have it, such as asking.
func (e *inputListener) aside(f func()) {
	e.close()
	defer e.open()
	f()
}

// listen takes lines until waiting ends.
func (e *inputListener) listen(waiting context.Context) {
	var first []byte // keys that came together with the last line
	for {
		if len(first) == 0 {
			var err error
			if first, err = e.person.keys.more(waiting); err != nil {
				return
			}
		}
		for len(first) > 0 && first[0] == interruptKey {
			e.signals.take(os.Interrupt)
			first = first[1:]
		}
		if len(first) == 0 {
			continue
		}
		e.view.hush()
		text, err := e.line(first)
		first = nil
		e.person.Write(line.PasteOn)
		e.view.speak()
		switch {
		case err == nil:
			e.take(strings.TrimSpace(text))
			first = e.editor.Rest()
		case errors.Is(err, line.ErrInterrupted), errors.Is(err, io.EOF): // they have changed their mind
			first = e.editor.Rest()
		default:
			e.keep(strings.TrimSpace(text))
		}
	}
}

// line is the line that begins with some keys.
func (e *inputListener) line(first []byte) (string, error) {
	in, out, size := e.editor.In, e.editor.Out, e.editor.Size
	defer func() { e.editor.In, e.editor.Out, e.editor.Size = in, out, size }()
	e.editor.In = func() ([]byte, error) {
		if len(first) > 0 {
			keys := first
			first = nil
			return keys, nil
		}
		return e.person.keys.more(e.run)
	}
	e.editor.Out, e.editor.Size = e.person.screen, e.person.Size
	return e.editor.Read(chatPrompt, "")
}

// take queues what was said. A command is for the chat, when the model is done.
func (e *inputListener) take(text string) {
	switch {
	case text == "":
	case strings.HasPrefix(text, "/"):
		e.keep(text)
		e.view.remark("a command waits until the model is done; Ctrl+C stops it")
	default:
		e.mu.Lock()
		e.queue = append(e.queue, text)
		e.mu.Unlock()
		e.view.remark("the model hears it before its next step")
	}
}

func (e *inputListener) keep(text string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if text != "" {
		e.left = append(e.left, text)
	}
}

// steer is engine.Task.Steer. What was said stays in the queue until it is written: a run may end before that.
func (e *inputListener) steer() []engine.Said {
	e.mu.Lock()
	defer e.mu.Unlock()
	var said []engine.Said
	for _, text := range e.queue[e.handed:] {
		said = append(said, engine.Said{Parts: []core.Part{{Type: core.PartText, Text: text}}})
	}
	e.handed = len(e.queue)
	return said
}

// observe takes from the queue what has become a message.
func (e *inputListener) observe(event engine.Event) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if event.Type == engine.EventMessage && e.handed > 0 && event.Message.IsPrompt() && event.Message.Name == "" {
		e.queue, e.handed = e.queue[1:], e.handed-1
	}
}

// unheard is what the person typed and no model was told, once the ear is closed.
func (e *inputListener) unheard() string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return strings.Join(slices.Concat(e.queue, e.left), "\n")
}
