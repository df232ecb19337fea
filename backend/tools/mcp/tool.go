package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"coppice/backend/core"
	"coppice/backend/tools/excerpt"
)

// Tool is a tool of a server, in the definition it had when Pool.Tools was called.
type Tool struct {
	server     *server
	definition definition
}

// Spec returns the definition of the tool for models.
func (t *Tool) Spec() core.ToolSpec { return t.definition.spec }

// Access returns that a call runs something with unknown effects. Its target is SERVER/TOOL@PIN, where PIN identifies
// the tool's definition: a stored permission ends when the definition changes.
func (t *Tool) Access(_ context.Context, arguments json.RawMessage) (core.Access, error) {
	arguments = orEmpty(arguments)
	if err := checkArguments(t.definition.schema, arguments); err != nil {
		return core.Access{}, err
	}
	return core.Access{
		Effect:   core.EffectExecute,
		Targets:  []string{t.definition.target},
		Prefixes: []string{""},
		Title:    t.definition.title,
		Preview:  preview(arguments),
	}, nil
}

// preview returns the arguments, indented. They are never cut, because the user decides by them.
func preview(arguments json.RawMessage) string {
	var indented bytes.Buffer
	if err := json.Indent(&indented, arguments, "", "  "); err != nil {
		return ""
	}
	return indented.String()
}

func orEmpty(arguments json.RawMessage) json.RawMessage {
	if len(arguments) == 0 {
		return json.RawMessage("{}")
	}
	return arguments
}

// Run calls the tool. It ends with ctx, after the server's time limit for a call, and when the server ends.
func (t *Tool) Run(ctx context.Context, call core.ToolCall) core.ToolResult {
	link, err := t.server.connected(t.definition)
	if err != nil {
		return core.ErrorResult(err.Error())
	}
	limited, cancel := context.WithTimeout(ctx, t.server.config.Timeout)
	defer cancel()
	answer, err := link.session.CallTool(limited, &sdk.CallToolParams{Name: t.definition.tool, Arguments: orEmpty(call.Arguments)})
	switch {
	case err == nil && answer.NeedsInput():
		return core.ErrorResult(fmt.Sprintf("%s asks for input that Coppice does not give", t.name()))
	case err == nil:
		return result(answer)
	default:
		return core.ErrorResult(t.failure(ctx, limited, link, err))
	}
}

// failure explains to the model the outcome of a call that has no answer.
func (t *Tool) failure(ctx, limited context.Context, link *link, err error) string {
	const partly = "; what it was to do may be done in part"
	if ctx.Err() != nil {
		return t.name() + " was stopped before it answered" + partly
	}
	if limited.Err() != nil {
		return fmt.Sprintf("%s did not answer within %s", t.name(), t.server.config.Timeout) + partly
	}
	if refusal, ok := errors.AsType[*jsonrpc.Error](err); ok {
		shown, _ := excerpt.Text(refusal.Message, excerpt.MaxBytes, excerpt.MaxLines)
		return t.name() + " refused the call: " + shown
	}
	lost := core.E(core.Unavailable, "%s ended before it answered%s", t.name(), partly)
	if link.process == nil {
		return core.Wrap(core.Unavailable, err, "%s", lost.Message).Error()
	}
	return link.explain(lost).Error()
}

func (t *Tool) name() string { return t.server.config.Name + "/" + t.definition.tool }
