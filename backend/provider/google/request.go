package google

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"

	"coppice/backend/core"
	"coppice/backend/jsontext"
	"coppice/backend/lazyregexp"
)

// request is the body of a call.
type request struct {
	Contents    []content        `json:"contents"`
	Instruction *content         `json:"systemInstruction,omitempty"`
	Config      generationConfig `json:"generationConfig"`
	Tools       []tools          `json:"tools,omitempty"`
	ToolConfig  *toolConfig      `json:"toolConfig,omitempty"`
}

type generationConfig struct {
	MaxOutputTokens int32           `json:"maxOutputTokens,omitempty"`
	Temperature     *float32        `json:"temperature,omitempty"`
	Thinking        *thinkingConfig `json:"thinkingConfig,omitempty"`
	MimeType        string          `json:"responseMimeType,omitempty"`
	Schema          json.RawMessage `json:"responseJsonSchema,omitempty"`
}

// thinkingConfig sets how much a model reasons, by a budget or by a level.
type thinkingConfig struct {
	IncludeThoughts bool   `json:"includeThoughts,omitempty"`
	Budget          *int32 `json:"thinkingBudget,omitempty"`
	Level           string `json:"thinkingLevel,omitempty"`
}

type tools struct {
	Functions []function `json:"functionDeclarations"`
}

type function struct {
	Name        string         `json:"name"`
	Description string         `json:"description,omitempty"`
	Schema      map[string]any `json:"parametersJsonSchema,omitempty"`
}

type toolConfig struct {
	Calling struct {
		Mode string `json:"mode"`
	} `json:"functionCallingConfig"`
}

// newRequest returns the body of a call.
func newRequest(r core.Request, contents []content) request {
	body := request{Contents: contents, Config: generationConfig{
		MaxOutputTokens: int32(min(r.MaxOutputTokens, math.MaxInt32)), //nolint:gosec // bounded in the same line
		Thinking:        thinking(r.Model, r.Effort),
	}}
	if r.System != "" {
		body.Instruction = &content{Role: "user", Parts: []json.RawMessage{text(r.System)}}
	}
	if r.Temperature != nil {
		body.Config.Temperature = new(float32(*r.Temperature))
	}
	if r.OutputSchema != nil && !r.MayCall() { // most models reject it together with tools
		body.Config.MimeType, body.Config.Schema = "application/json", r.OutputSchema
		return body
	}
	if len(r.Tools) > 0 {
		body.Tools = []tools{{Functions: functions(r.Tools)}}
		body.ToolConfig = choice(r.ToolChoice)
	}
	return body
}

func text(text string) json.RawMessage {
	data, _ := jsontext.Encode(part{Text: text}) // a text has a JSON form
	return data
}

func choice(choice core.ToolChoice) *toolConfig {
	config := &toolConfig{}
	switch choice {
	case core.ToolChoiceNone:
		config.Calling.Mode = "NONE"
	case core.ToolChoiceRequired:
		config.Calling.Mode = "ANY"
	default:
		return nil
	}
	return config
}

// functions declares the tools with their JSON schemas. The server accepts all of a schema except the name of its
// dialect.
func functions(specs []core.ToolSpec) []function {
	var all []function
	for _, spec := range specs {
		f := function{Name: spec.Name, Description: spec.Description}
		if json.Unmarshal(spec.Parameters, &f.Schema) != nil {
			f.Schema = nil
		}
		delete(f.Schema, "$schema")
		all = append(all, f)
	}
	return all
}

// generation returns a model's version as a number: 2.5 is 205. Gemini models without a version, such as
// gemini-flash-latest, are the newest; other models have 0.
type generation int

const newest generation = 1 << 20

var generations = lazyregexp.New(`gemini-(\d{1,2})(?:\.(\d{1,2}))?(?:[^\d]|$)`)

func generationOf(model string) generation {
	found := generations.FindStringSubmatch(model)
	if found == nil {
		if strings.Contains(model, "gemini") {
			return newest
		}
		return 0
	}
	major, _ := strconv.Atoi(found[1]) // digits, or empty
	minor, _ := strconv.Atoi(found[2])
	return generation(100*major + minor)
}

// special matches the models that generate images or sound, which neither reason nor call tools.
var special = lazyregexp.New(`image|tts|audio|live|embedding|robotics|computer-use`)

// thinking returns how much to reason: models of 2.5 take tokens, models from 3 on a level. If the request does not set
// it, the model decides, and sends its reasoning.
func thinking(model string, effort core.Effort) *thinkingConfig {
	g := generationOf(model)
	switch {
	case g < 205 || special.MatchString(model):
		return nil
	case effort == "" && g == 205 && strings.Contains(model, "lite"): // it does not reason by default, and must not be asked to send it
		return nil
	case effort == "":
		return &thinkingConfig{IncludeThoughts: true}
	case g < 300:
		return &thinkingConfig{IncludeThoughts: effort != core.EffortNone, Budget: new(budget(model, effort))}
	default:
		return &thinkingConfig{IncludeThoughts: effort != core.EffortNone, Level: level(model, effort, g)}
	}
}

func budget(model string, effort core.Effort) int32 {
	switch effort {
	case core.EffortLow:
		return 2048
	case core.EffortMedium:
		return 8192
	case core.EffortHigh:
		return 24_576
	default:
		if strings.Contains(model, "pro") {
			return 128 // the minimum
		}
		return 0
	}
}

func level(model string, effort core.Effort, g generation) string {
	pro := strings.Contains(model, "pro")
	switch {
	case effort == core.EffortNone && pro:
		return "LOW"
	case effort == core.EffortNone:
		return "MINIMAL"
	case effort == core.EffortLow:
		return "LOW"
	case effort == core.EffortMedium && (!pro || g > 300): // 3 Pro supports only low and high
		return "MEDIUM"
	default:
		return "HIGH"
	}
}
