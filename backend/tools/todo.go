package tools

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"coppice/backend/core"
)

const maxTodos = 200

type todoArgs struct {
	Items []todoItem `json:"items"`
}

type todoItem struct {
	Text   string `json:"text"`
	Status string `json:"status"`
}

func newTodo() Tool {
	t := define[todoArgs]("todo", `
		"items": {"type": "array", "description": "The whole list, in order.", "items": {
			"type": "object", "additionalProperties": false, "required": ["text", "status"], "properties": {
				"text": {"type": "string", "description": "The step, in a few words."},
				"status": {"type": "string", "enum": ["pending", "in_progress", "completed", "cancelled"]}}}}`, "items")
	t.access = func(_ context.Context, args todoArgs) (core.Access, error) {
		return core.Access{Effect: core.EffectNone, Idempotent: true, Title: "Update the to-do list: " + tally(args.Items)}, check(args.Items)
	}
	t.run = func(_ context.Context, _ core.ToolCall, args todoArgs) (core.ToolResult, error) {
		if err := check(args.Items); err != nil {
			return core.ToolResult{}, err
		}
		result := core.TextResult("Noted: " + tally(args.Items) + ".")
		structured, err := json.Marshal(args)
		result.Structured = structured
		return result, core.Wrap(core.Internal, err, "update the to-do list")
	}
	return t
}

func check(items []todoItem) error {
	if len(items) > maxTodos {
		return core.E(core.Invalid, "the list is too long: %d items, the maximum is %d", len(items), maxTodos)
	}
	states := []string{"pending", "in_progress", "completed", "cancelled"}
	for i, item := range items {
		switch {
		case strings.TrimSpace(item.Text) == "":
			return core.E(core.Invalid, "item %d has no text", i+1)
		case !slices.Contains(states, item.Status):
			return core.E(core.Invalid, "the status of item %d must be one of %s", i+1, strings.Join(states, ", "))
		}
	}
	return nil
}

func tally(items []todoItem) string {
	done := 0
	for _, item := range items {
		if item.Status == "completed" {
			done++
		}
	}
	return fmt.Sprintf("%d of %d done", done, len(items))
}
