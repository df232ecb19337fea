package launch

import (
	"coppice/backend/answer"
	"coppice/backend/core"
	"coppice/backend/engine"
)

// outputOf returns what the answer must be, and the text for the model about it. Without a schema in the request, work that continues
// without a prompt has that of its state.
func outputOf(request RunRequest, former core.RunState) (*engine.Output, string, error) {
	given := request.OutputSchema
	if given == nil && !request.Says() && !former.Imported {
		given = former.OutputSchema
	}
	if given == nil {
		return nil, "", nil
	}
	schema, err := answer.Parse(given)
	if err != nil {
		return nil, "", err
	}
	return &engine.Output{Schema: schema.JSON, Value: schema.Value}, schema.Instruction(), nil
}
