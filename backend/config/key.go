package config

import (
	"bytes"
	"encoding"
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"

	"coppice/backend/core"
	"coppice/backend/durable"
)

// Setting is one value in force and its source.
type Setting struct {
	Key    string `json:"key"`
	Value  any    `json:"value"`  // null: not set
	Source string `json:"source"` // default, or the file
	Line   int    `json:"line"`   // 0: of no file
}

// Hidden is shown instead of a value that may be a secret.
const Hidden = "(hidden)"

// List returns all values in force, in the order of the documentation. What may be a secret is hidden.
func (s *Settings) List() []Setting {
	return s.leaves("", reflect.ValueOf(s.Config))
}

// leaves goes down the type, which is never recursive.
func (s *Settings) leaves(path string, value reflect.Value) []Setting {
	_, isText := value.Interface().(encoding.TextMarshaler)
	switch {
	case !isText && value.Kind() == reflect.Struct:
		var all []Setting
		for i := range value.NumField() {
			all = append(all, s.leaves(dotted(path, value.Type().Field(i).Tag.Get("yaml")), value.Field(i))...)
		}
		return all
	case value.Kind() == reflect.Map && value.Type().Elem().Kind() != reflect.Interface:
		var all []Setting
		names := value.MapKeys()
		slices.SortFunc(names, func(a, b reflect.Value) int { return strings.Compare(a.String(), b.String()) })
		for _, name := range names {
			all = append(all, s.leaves(dotted(path, name.String()), value.MapIndex(name))...)
		}
		return all
	}
	from, set := s.origins[path]
	if !set {
		from.File = "default"
		if strings.Contains(pattern(path), "*") { // no defaults there
			return nil
		}
	}
	return []Setting{{Key: path, Value: shown(path, value), Source: from.File, Line: from.Line}}
}

// shown returns a value for the screen and for JSON; nil if it is not set.
func shown(path string, value reflect.Value) any {
	if value.IsZero() && value.Kind() != reflect.Bool {
		return nil
	}
	if text, ok := value.Interface().(encoding.TextMarshaler); ok {
		data, err := text.MarshalText()
		if err != nil { // those of the configuration never fail
			return nil
		}
		return string(data)
	}
	if isSecret := strings.HasSuffix(pattern(path), ".headers.*") || strings.HasSuffix(pattern(path), ".env.*"); isSecret {
		if variableUse.MatchString(value.String()) {
			return value.String()
		}
		return Hidden
	}
	return value.Interface()
}

// String writes a value for people.
func (s Setting) String() string {
	switch value := s.Value.(type) {
	case nil:
		return ""
	case []string:
		return strings.Join(value, ", ")
	case map[string]any:
		data, err := json.Marshal(value)
		if err != nil {
			return fmt.Sprint(value)
		}
		return string(data)
	default:
		return fmt.Sprint(value)
	}
}

// KeyType returns the type of the value at a key. An unknown key is an Invalid error.
func KeyType(key string) (reflect.Type, error) {
	at, path := reflect.TypeFor[Config](), ""
	for part := range strings.SplitSeq(key, ".") {
		switch {
		case at.Kind() == reflect.Map && part != "":
			at = at.Elem()
		case at.Kind() == reflect.Struct:
			fields := fieldsOf(reflect.New(at).Elem())
			field, known := fields[part]
			if !known {
				return nil, core.E(core.Invalid, "unknown key %q", key).WithHint("%s", meant(dotted(path, part), keysOf(fields, path)))
			}
			at = field.Type()
		default:
			return nil, core.E(core.Invalid, "unknown key %q", key).WithHint("%s is one value", path)
		}
		path = dotted(path, part)
	}
	return at, nil
}

// Set puts a value in the user's file and keeps everything else in it, comments included.
func Set(key, value string) error {
	kind, err := KeyType(key)
	if err != nil {
		return err
	}
	node, err := valueNode(kind, value)
	if err != nil {
		return err
	}
	return edit(func(top *yaml.Node) { putNode(top, strings.Split(key, "."), node) })
}

// Unset removes a value from the user's file.
func Unset(key string) error {
	if _, err := KeyType(key); err != nil {
		return err
	}
	return edit(func(top *yaml.Node) { removeNode(top, strings.Split(key, ".")) })
}

// valueNode returns a node for what the user typed: text as it is, anything else as YAML.
func valueNode(kind reflect.Type, value string) (*yaml.Node, error) {
	_, isText := reflect.New(kind).Interface().(encoding.TextUnmarshaler)
	if isText {
		return &yaml.Node{Kind: yaml.ScalarNode, Value: value}, nil
	}
	if kind.Kind() == reflect.String {
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: value}, nil
	}
	var document yaml.Node
	if err := yaml.Unmarshal([]byte(value), &document); err != nil || len(document.Content) == 0 {
		return nil, core.E(core.Invalid, "invalid value %q", value).WithHint("lists are written [a, b]")
	}
	return document.Content[0], nil
}

// putNode sets the value at a key, and adds the sections above it if they are missing.
func putNode(at *yaml.Node, keys []string, value *yaml.Node) {
	for i, key := range keys {
		next := valueOf(at, key)
		if next == nil || (i < len(keys)-1 && next.Kind != yaml.MappingNode) {
			fresh := &yaml.Node{Kind: yaml.MappingNode}
			if i == len(keys)-1 {
				fresh = &yaml.Node{}
			}
			if next == nil {
				at.Content = append(at.Content, &yaml.Node{Kind: yaml.ScalarNode, Value: key}, fresh)
				next = fresh
			} else {
				*next = *fresh
			}
		}
		at = next
	}
	value.HeadComment, value.LineComment, value.FootComment = at.HeadComment, at.LineComment, at.FootComment
	*at = *value
}

// valueOf returns what a mapping has at a key.
func valueOf(mapping *yaml.Node, key string) *yaml.Node {
	for i := 0; i+1 < len(mapping.Content); i += 2 {
		if mapping.Content[i].Value == key {
			return mapping.Content[i+1]
		}
	}
	return nil
}

func removeNode(at *yaml.Node, keys []string) {
	for _, key := range keys[:len(keys)-1] {
		if at = valueOf(at, key); at == nil || at.Kind != yaml.MappingNode {
			return
		}
	}
	for i := 0; i+1 < len(at.Content); i += 2 {
		if at.Content[i].Value == keys[len(keys)-1] {
			at.Content = slices.Delete(at.Content, i, i+2)
			return
		}
	}
}

// edit changes the user's file. If the result could not be read again, nothing is changed and the error is Invalid.
func edit(change func(top *yaml.Node)) error {
	return editFile(Resolved(Path()), userFile, check, change) // a link stays one
}

// editFile changes a file of the configuration, of which check returns the mistakes. If the result has one, nothing is
// changed and the error is Invalid.
func editFile(path, shown string, check func(data []byte) []Problem, change func(top *yaml.Node)) error {
	data, err := readUserFile(path)
	if err != nil {
		return err
	}
	reader := &strictYAML{file: shown}
	top := reader.parse(data)
	if len(reader.problems) > 0 {
		return reader.problems[0].Err()
	}
	var document yaml.Node
	if err := yaml.Unmarshal(data, &document); err != nil {
		return core.Wrap(core.Invalid, err, "read the configuration")
	}
	if top == nil || top.Tag == "!!null" {
		document.Kind, document.Content = yaml.DocumentNode, []*yaml.Node{{Kind: yaml.MappingNode}}
	}
	wrong := check(data)
	if document.Content[0].Kind != yaml.MappingNode {
		return wrong[0].Err()
	}
	change(document.Content[0])
	var edited bytes.Buffer
	encoder := yaml.NewEncoder(&edited)
	encoder.SetIndent(2)
	if err := encoder.Encode(&document); err != nil {
		return core.Wrap(core.Internal, err, "write the configuration")
	}
	if now := check(edited.Bytes()); len(now) > 0 {
		if len(wrong) == 0 || len(data) == 0 {
			now[0].origin = origin{} // the user has not seen that line
		}
		return now[0].Err()
	}
	return replaceFile(path, edited.Bytes())
}

// check returns the mistakes in the user's file.
func check(data []byte) []Problem {
	set := &Settings{Config: Default(), origins: map[string]origin{}}
	set.apply(userFile, data, nil)
	set.checkWhole()
	return set.Problems
}

// replaceFile writes the configuration in one step: no reader sees half of it.
func replaceFile(path string, data []byte) error {
	return core.Wrap(core.Unavailable, durable.Write(path, func(file *os.File) error {
		_, err := file.Write(data)
		return err
	}), "write the configuration")
}

// Below returns the values at a key and in its section.
func Below(all []Setting, key string) []Setting {
	var found []Setting
	for _, s := range all {
		if s.Key == key || strings.HasPrefix(s.Key, key+".") {
			found = append(found, s)
		}
	}
	return found
}
