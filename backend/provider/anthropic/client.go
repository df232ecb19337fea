// Package anthropic calls models by Anthropic's messages protocol, over the vendor's SDK.
package anthropic

import (
	"cmp"
	"context"
	"errors"
	"iter"
	"strings"

	"coppice/backend/core"
	"coppice/backend/provider/endpoint"
	"coppice/backend/provider/failure"
	"coppice/backend/provider/transport"

	sdk "github.com/anthropics/anthropic-sdk-go"
	"github.com/anthropics/anthropic-sdk-go/option"
)

// vendor is where Anthropic itself answers.
const vendor = "https://api.anthropic.com"

// Client calls the models of one endpoint. It may be used by several goroutines.
type Client struct {
	endpoint endpoint.Endpoint
	messages sdk.MessageService
	models   sdk.ModelService
}

// New returns a client of the endpoint. It reads nothing from the environment.
func New(e endpoint.Endpoint) *Client {
	client := e.Client
	if client == nil {
		client = transport.NewClient(0)
	}
	options := []option.RequestOption{
		option.WithHTTPClient(client),
		option.WithBaseURL(strings.TrimSuffix(cmp.Or(e.BaseURL, vendor), "/v1")), // the SDK adds it
		option.WithMaxRetries(0),                                                 // the transport has its own
	}
	if e.Key != "" {
		options = append(options, option.WithAPIKey(e.Key))
	}
	for name, value := range e.Headers {
		options = append(options, option.WithHeader(name, value))
	}
	return &Client{endpoint: e, messages: sdk.NewMessageService(options...), models: sdk.NewModelService(options...)}
}

// Stream calls a model, as engine.Model says. Where the server finds that the reasoning in the conversation does not
// belong there, as after an edit of what came before it, the call is made once more without it.
func (c *Client) Stream(ctx context.Context, r core.Request) iter.Seq2[core.StreamEvent, error] {
	return func(yield func(core.StreamEvent, error) bool) {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		a := newAnswer(c.endpoint, r.Model)
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

// errStopped says that the caller wants no more events.
var errStopped = errors.New("the caller stopped")

// read reads the answer into a and passes its pieces on. It returns nil only where the answer is whole.
func (c *Client) read(ctx context.Context, r core.Request, a *answer, yield func(core.StreamEvent) bool) error {
	call := failure.Call{Endpoint: c.endpoint, Model: r.Model}
	conversation := encode(c.endpoint, r, true)
	stream := c.messages.NewStreaming(ctx, params(r, conversation), c.extra()...)
	if refusesReasoning(stream.Err()) && conversation.reasons {
		stream = c.messages.NewStreaming(ctx, params(r, encode(c.endpoint, r, false)), c.extra()...)
	}
	if err := stream.Err(); err != nil {
		return failed(ctx, call, err, call.Network)
	}
	defer func() { _ = stream.Close() }() // all that is wanted of it has been read
	for stream.Next() {
		pieces, err := a.take([]byte(stream.Current().RawJSON()))
		if err != nil {
			return call.Cut(ctx, err)
		}
		for _, piece := range pieces {
			if !yield(piece) {
				return errStopped
			}
		}
		if a.ended {
			return nil
		}
	}
	return failed(ctx, call, stream.Err(), call.Cut)
}

// failed turns an error of the SDK into ours; what no server told goes through otherwise.
func failed(ctx context.Context, call failure.Call, err error, otherwise func(context.Context, error) *core.Error) error {
	told, ok := errors.AsType[*sdk.Error](err)
	switch {
	case !ok:
		return otherwise(ctx, err)
	case told.StatusCode >= 400:
		return call.Answer(told.StatusCode, told.Response.Header, []byte(told.RawJSON()))
	default:
		return call.Event([]byte(told.RawJSON()), told.RequestID)
	}
}

// refusesReasoning says whether a server rejected a call because of the reasoning in its conversation: its
// signature is another's, or something before it has changed since.
func refusesReasoning(err error) bool {
	told, ok := errors.AsType[*sdk.Error](err)
	if !ok || told.StatusCode != 400 {
		return false
	}
	text := told.RawJSON()
	return strings.Contains(text, "thinking") &&
		(strings.Contains(text, "signature") || strings.Contains(text, "bound to") || strings.Contains(text, "cannot be modified"))
}

// extra lays the endpoint's own fields over a body; an object is laid over an object key by key.
func (c *Client) extra() []option.RequestOption {
	var options []option.RequestOption
	for key, value := range c.endpoint.Extra {
		key = path.Replace(key)
		fields, nested := value.(map[string]any)
		switch {
		case value == nil:
			options = append(options, option.WithJSONDel(key))
		case nested:
			for name, field := range fields {
				options = append(options, option.WithJSONSet(key+"."+path.Replace(name), field))
			}
		default:
			options = append(options, option.WithJSONSet(key, value))
		}
	}
	return options
}

// path makes a plain key of what the SDK's options take for a path.
var path = strings.NewReplacer(`\`, `\\`, ".", `\.`, "*", `\*`, "?", `\?`, "|", `\|`, "#", `\#`, "@", `\@`)
