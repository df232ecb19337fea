// Package google calls Gemini models by the vendor's API, over its SDK.
package google

import (
	"cmp"
	"context"
	"errors"
	"iter"
	"net/http"
	"regexp"
	"strings"

	"coppice/backend/core"
	"coppice/backend/provider/endpoint"
	"coppice/backend/provider/failure"
	"coppice/backend/provider/transport"

	"google.golang.org/genai"
)

// vendor is where Google itself answers.
const vendor = "https://generativelanguage.googleapis.com"

// noKey stands for a key where there is none, because the SDK would take one from the environment; the wire leaves it out.
const noKey = "none"

// Client calls the models of one endpoint. It may be used by several goroutines.
type Client struct {
	endpoint endpoint.Endpoint
	sdk      *genai.Client
	flaw     error // why there is no sdk
}

// version is the part of an address that the SDK adds by itself.
var version = regexp.MustCompile(`/v1(beta|alpha)?$`)

// New returns a client of the endpoint. It reads nothing from the environment; a setting that the SDK does not take is
// the error of every call.
func New(e endpoint.Endpoint) *Client {
	client := e.Client
	if client == nil {
		client = transport.NewClient(0)
	}
	tapped := *client
	tapped.Transport = &wire{next: client.Transport, keyless: e.Key == ""}
	header := http.Header{}
	for name, value := range e.Headers {
		header.Set(name, value)
	}
	sdk, err := genai.NewClient(context.Background(), &genai.ClientConfig{
		APIKey:      cmp.Or(e.Key, noKey),
		Backend:     genai.BackendGeminiAPI,
		HTTPClient:  &tapped,
		HTTPOptions: genai.HTTPOptions{BaseURL: version.ReplaceAllString(cmp.Or(e.BaseURL, vendor), ""), Headers: header},
	})
	if err != nil { // its text holds the key
		err = core.E(core.Invalid, "the settings of %s are not usable", e.Provider)
	}
	return &Client{endpoint: e, sdk: sdk, flaw: err}
}

// Stream calls a model, as engine.Model says.
func (c *Client) Stream(ctx context.Context, r core.Request) iter.Seq2[core.StreamEvent, error] {
	return func(yield func(core.StreamEvent, error) bool) {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		a := newAnswer(c.endpoint, r)
		err := c.read(ctx, r, a, func(e core.StreamEvent) bool { return yield(e, nil) })
		switch {
		case errors.Is(err, errStopped):
		case err != nil:
			yield(core.StreamEvent{Type: core.StreamAborted, Message: a.partial()}, err)
		default:
			yield(core.StreamEvent{Type: core.StreamDone, Message: a.whole()}, nil)
		}
	}
}

var (
	errStopped = errors.New("the caller stopped") // wants no more events
	errTold    = errors.New("the server sent an error")
	errNoEnd   = errors.New("no finish reason came")
)

// read reads the answer into a and passes its pieces on. It returns nil only where the answer is whole.
//
// Of the SDK's responses only their coming counts: the tap holds each as the server sent it, with the fields that the SDK does
// not know and the numbers that it would round.
func (c *Client) read(ctx context.Context, r core.Request, a *answer, yield func(core.StreamEvent) bool) error {
	if c.flaw != nil {
		return c.flaw
	}
	contents, err := encode(c.endpoint, r)
	if err != nil {
		return err
	}
	call := failure.Call{Endpoint: c.endpoint, Model: r.Model}
	tap := &tap{}
	for _, err := range c.sdk.Models.GenerateContentStream(tap.on(ctx), r.Model, nil, c.config(r, contents)) {
		if err != nil {
			if a.finished() {
				return nil
			}
			return tap.failed(ctx, call, err)
		}
		pieces, err := a.take(tap.data)
		switch {
		case errors.Is(err, errTold):
			return call.Event(tap.data, "")
		case err != nil && a.finished(): // what came after the end does not matter
			return nil
		case err != nil:
			return call.Cut(ctx, err)
		}
		for _, piece := range pieces {
			if !yield(piece) {
				return errStopped
			}
		}
	}
	if !a.finished() {
		return tap.failed(ctx, call, errNoEnd)
	}
	return nil
}

// Models lists the models of the endpoint that answer, as it orders them.
func (c *Client) Models(ctx context.Context) (models []core.ModelInfo, err error) {
	if c.flaw != nil {
		return nil, c.flaw
	}
	tap := &tap{}
	defer func() {
		if p := recover(); p != nil { // the SDK takes it for granted that a list is a list
			models, err = nil, core.E(core.Unavailable, "what %s says of its models cannot be read: %v", c.endpoint.Provider, p)
		}
	}()
	models = []core.ModelInfo{}
	for m, err := range c.sdk.Models.All(tap.on(ctx)) {
		if err != nil {
			return nil, tap.failed(ctx, failure.Call{Endpoint: c.endpoint}, err)
		}
		for _, action := range m.SupportedActions {
			if action == "generateContent" {
				models = append(models, c.info(m))
			}
		}
	}
	return models, nil
}

func (c *Client) info(m *genai.Model) core.ModelInfo {
	id := strings.TrimPrefix(m.Name, "models/")
	talks := strings.HasPrefix(id, "gemini") && !special.MatchString(id)
	return core.ModelInfo{
		Provider: c.endpoint.Provider, ID: id, Name: cmp.Or(m.DisplayName, id),
		ContextTokens: int64(m.InputTokenLimit), MaxOutputTokens: int64(m.OutputTokenLimit),
		Images: strings.HasPrefix(id, "gemini"), Tools: talks, Reasoning: m.Thinking,
	}
}
