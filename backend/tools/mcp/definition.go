package mcp

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"coppice/backend/core"
	"coppice/backend/tools/excerpt"
)

// Bounds on one definition: what models can use and providers accept.
const (
	maxDescriptionBytes = 8 << 10
	maxSchemaBytes      = 64 << 10
	maxToolNameBytes    = 256
)

// definition is a tool as its server described it.
type definition struct {
	tool   string // as the server names it
	spec   core.ToolSpec
	target string // SERVER/TOOL@PIN: the name in permissions
	title  string
	schema *checker // nil: it cannot be checked here; the server checks
}

// define returns the definitions of a server's tools, in its order; tools that cannot be used are left out and reported
// as problems.
func define(server Server, told []*sdk.Tool) (tools []definition, problems []string) {
	seen := map[string]bool{}
	for _, tool := range told {
		d, err := newDefinition(server, tool)
		switch {
		case err != nil:
			problems = append(problems, err.Error())
		case seen[d.spec.Name]:
			problems = append(problems, fmt.Sprintf("duplicate tool %q", tool.Name))
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

// descriptionOf returns the description of a tool for models.
func descriptionOf(tool *sdk.Tool) string {
	if tool.Description == "" {
		return tool.Title
	}
	shown, _ := excerpt.Text(tool.Description, maxDescriptionBytes, excerpt.MaxLines)
	return shown
}

// titleOf returns the title of a call for users. The server's claims about the effect of the tool are marked as claims.
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

// pin returns a hash of one definition of a tool of one server: the address of the server and everything that models
// and users see of the tool. A permission includes it, so that a tool whose definition changes needs a new permission.
// 64 bits are more than a server could search for a second definition with the same pin.
func pin(server Server, tool *sdk.Tool, parameters json.RawMessage) string {
	told, err := json.Marshal([]any{
		server.Command, server.Args, server.URL, tool.Name, tool.Title, tool.Description, parameters, tool.Annotations,
	})
	if err != nil { // parameters are valid JSON, everything else is text
		return "unknown"
	}
	sum := sha256.Sum256(told)
	return hex.EncodeToString(sum[:8])
}

// maxModelName is the length of a name that providers accept.
const maxModelName = 64

// modelName returns the name of a tool for models: SERVER__TOOL in letters, digits, _ and -, at most 64 of them. If the
// name had to be changed, a hash at its end makes it unique. It depends on the two names alone, so that the calls of an
// older run find their tool.
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
