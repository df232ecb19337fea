package google

import (
	"encoding/json"
	"regexp"
	"strconv"
	"strings"

	"coppice/backend/core"

	"google.golang.org/genai"
)

// config puts the settings of a call together. The contents are laid into the body as they stand: the SDK's types would lose fields
// of replayed parts and the digits of long numbers.
func (c *Client) config(r core.Request, contents []content) *genai.GenerateContentConfig {
	config := &genai.GenerateContentConfig{
		MaxOutputTokens: int32(min(r.MaxOutputTokens, 1<<31-1)),
		ThinkingConfig:  thinking(r.Model, r.Effort),
		// A call that the SDK makes again by itself would be paid and not seen.
		AutomaticContinuation: new(false),
		HTTPOptions: &genai.HTTPOptions{ExtrasRequestProvider: func(body map[string]any) map[string]any {
			body["contents"] = contents
			c.endpoint.Lay(body)
			return body
		}},
	}
	if r.System != "" {
		config.SystemInstruction = &genai.Content{Parts: []*genai.Part{{Text: r.System}}}
	}
	if r.Temperature != nil {
		config.Temperature = new(float32(*r.Temperature))
	}
	if len(r.Tools) > 0 {
		config.Tools = []*genai.Tool{{FunctionDeclarations: functions(r.Tools)}}
		config.ToolConfig = choice(r.ToolChoice)
	}
	return config
}

func choice(choice core.ToolChoice) *genai.ToolConfig {
	var mode genai.FunctionCallingConfigMode
	switch choice {
	case core.ToolChoiceNone:
		mode = genai.FunctionCallingConfigModeNone
	case core.ToolChoiceRequired:
		mode = genai.FunctionCallingConfigModeAny
	default:
		return nil
	}
	return &genai.ToolConfig{FunctionCallingConfig: &genai.FunctionCallingConfig{Mode: mode}}
}

// functions declares the tools with their schemas as JSON schemas, of which the server takes all but the name of the
// dialect.
func functions(specs []core.ToolSpec) []*genai.FunctionDeclaration {
	var all []*genai.FunctionDeclaration
	for _, spec := range specs {
		f := &genai.FunctionDeclaration{Name: spec.Name, Description: spec.Description}
		var schema map[string]any
		if json.Unmarshal(spec.Parameters, &schema) == nil && len(schema) > 0 {
			delete(schema, "$schema")
			f.ParametersJsonSchema = schema
		}
		all = append(all, f)
	}
	return all
}

// generation is a model's place in its line: 2.5 is 205. Gemini models of no number, such as
// gemini-flash-latest, are the newest; a model of another line has 0.
type generation int

const newest generation = 1 << 20

var generations = regexp.MustCompile(`gemini-(\d{1,2})(?:\.(\d{1,2}))?(?:[^\d]|$)`)

func generationOf(model string) generation {
	found := generations.FindStringSubmatch(model)
	if found == nil {
		if strings.Contains(model, "gemini") {
			return newest
		}
		return 0
	}
	major, _ := strconv.Atoi(found[1]) // digits, or nothing
	minor, _ := strconv.Atoi(found[2])
	return generation(100*major + minor)
}

// special finds the models that make pictures or sound, which neither reason nor call tools.
var special = regexp.MustCompile(`image|tts|audio|live|embedding|robotics|computer-use`)

// thinking says how much to reason: in tokens to the models of 2.5, by a level to those from 3 on. Where the
// request does not say, a model reasons as much as it likes, and shows it.
func thinking(model string, effort core.Effort) *genai.ThinkingConfig {
	g := generationOf(model)
	switch {
	case g < 205 || special.MatchString(model):
		return nil
	case effort == "" && g == 205 && strings.Contains(model, "lite"): // it does not reason by itself, and must not be asked to show it
		return nil
	case effort == "":
		return &genai.ThinkingConfig{IncludeThoughts: true}
	case g < 300:
		return &genai.ThinkingConfig{IncludeThoughts: effort != core.EffortNone, ThinkingBudget: new(budget(model, effort))}
	default:
		return &genai.ThinkingConfig{IncludeThoughts: effort != core.EffortNone, ThinkingLevel: level(model, effort, g)}
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
			return 128 // the least it takes
		}
		return 0
	}
}

func level(model string, effort core.Effort, g generation) genai.ThinkingLevel {
	pro := strings.Contains(model, "pro")
	switch {
	case effort == core.EffortNone && pro:
		return genai.ThinkingLevelLow
	case effort == core.EffortNone:
		return genai.ThinkingLevelMinimal
	case effort == core.EffortLow:
		return genai.ThinkingLevelLow
	case effort == core.EffortMedium && (!pro || g > 300): // 3 Pro knows low and high alone
		return genai.ThinkingLevelMedium
	default:
		return genai.ThinkingLevelHigh
	}
}
