package mcp

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"coppice/backend/core"
	"coppice/backend/tools/excerpt"
)

// Bounds on one definition: what a model can make sense of, and providers take.
const (
	maxDescriptionBytes = 8 << 10
	maxSchemaBytes      = 64 << 10
	maxToolNameBytes    = 256
)

// definition is a tool as its server told it.
type definition struct {
	tool   string // as the server calls it
	spec   core.ToolSpec
	target string // SERVER/TOOL@PIN: what a permission names
	title  string
	schema *jsonschema.Schema // nil: one that cannot be checked here; the server checks
}

// define turns what a server tells into definitions, in its order; what cannot be used is left out and told.
func define(server Server, told []*sdk.Tool) (tools []definition, problems []string) {
	seen := map[string]bool{}
	for _, tool := range told {
		d, err := newDefinition(server, tool)
		switch {
		case err != nil:
			problems = append(problems, err.Error())
		case seen[d.spec.Name]:
			problems = append(problems, fmt.Sprintf("there are two tools %q", tool.Name))
		default:
			seen[d.spec.Name] = true
			tools = append(tools, d)
		}
	}
	return tools, problems
}

func newDefinition(server Server, tool *sdk.Tool) (definition, error) {
	if tool.Name == "" || len(tool.Name) > maxToolNameBytes {
		return definition{}, core.E(core.Invalid, "a tool has a name of %d bytes", len(tool.Name))
	}
	parameters, err := parametersOf(tool.InputSchema)
	if err != nil {
		return definition{}, core.Wrap(core.Invalid, err, "the tool %q", tool.Name)
	}
	return definition{
		tool: tool.Name,
		spec: core.ToolSpec{
			Name:        modelName(server.Name, tool.Name),
			Description: descriptionOf(tool),
			Parameters:  parameters,
		},
		target: server.Name + "/" + tool.Name + "@" + pin(server, tool, parameters),
		title:  titleOf(server, tool),
		schema: compile(parameters),
	}, nil
}

// descriptionOf is what a model is told of a tool.
func descriptionOf(tool *sdk.Tool) string {
	if tool.Description == "" {
		return tool.Title
	}
	shown, _ := excerpt.Text(tool.Description, maxDescriptionBytes, excerpt.MaxLines)
	return shown
}

// titleOf is what a person is told of a call. What the server says of the tool's harmlessness is told as its word.
func titleOf(server Server, tool *sdk.Tool) string {
	title := strings.Join(strings.Fields(server.Name+"/"+tool.Name), " ")
	if a := tool.Annotations; a != nil {
		switch {
		case a.ReadOnlyHint:
			title += " (declared read-only)"
		case a.DestructiveHint != nil && *a.DestructiveHint:
			title += " (declared destructive)"
		}
	}
	return title
}

// pin is a mark of one definition of a tool of one server: where the server is, and all that a model and a person are
// told of the tool. A permission names it, so that a tool that turns into another one is asked for again. 64 bits
// are more than a server could search for a second definition with the same mark.
func pin(server Server, tool *sdk.Tool, parameters json.RawMessage) string {
	told, err := json.Marshal([]any{
		server.Command, server.Args, server.URL, tool.Name, tool.Title, tool.Description, parameters, tool.Annotations,
	})
	if err != nil { // parameters are valid JSON, all else is text
		return "unknown"
	}
	sum := sha256.Sum256(told)
	return hex.EncodeToString(sum[:8])
}

// maxModelName is how long a name providers take.
const maxModelName = 64

// modelName is what a model calls a tool: SERVER__TOOL in letters, digits, _ and -, 64 at most. Where that takes a
// change, the end of the name tells it from others. It depends on the two names alone, so that the calls of
// an older run find their tool.
func modelName(server, tool string) string {
	full := server + "__" + tool
	clean := strings.Map(func(r rune) rune {
		if r < 0x80 && (r == '_' || r == '-' || '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z') {
			return r
		}
		return '_'
	}, full)
	if clean == full && len(clean) <= maxModelName {
		return clean
	}
	sum := sha256.Sum256([]byte(full))
	end := "_" + hex.EncodeToString(sum[:4])
	return clean[:min(len(clean), maxModelName-len(end))] + end
}
