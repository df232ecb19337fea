package config

import (
	"bytes"
	"encoding"
	"errors"
	"fmt"
	"io"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v4"

	"coppice/backend/core"
	"coppice/backend/lazyregexp"
	"coppice/backend/spelling"
)

// origin is the file and line that set a value.
type origin struct {
	File string // as it is shown
	Line int
}

// Problem is a mistake in a file of the configuration.
type Problem struct {
	origin
	text string
	hint string
}

// Err returns the problem as an Invalid error that names file and line.
func (p Problem) Err() error {
	e := core.E(core.Invalid, "%s", p.text)
	if p.Line > 0 {
		e.Message = fmt.Sprintf("%s line %d: %s", p.File, p.Line, p.text)
	} else if p.File != "" {
		e.Message = fmt.Sprintf("%s: %s", p.File, p.text)
	}
	if p.hint != "" {
		return e.WithHint("%s", p.hint)
	}
	return e
}

// strictYAML reads a YAML file into structs with yaml tags. An unknown key, a key that occurs twice, and a value of the
// wrong kind are problems with their line. What the file does not set stays as it is.
type strictYAML struct {
	file     string
	checks   map[string]func(value string) error // by dotted path, a map's names written *; of the names themselves by "PATH.* name"
	allow    func(path, value string) bool       // nil: everything; false passes over a value
	origins  map[string]origin                   // of each value, by dotted path
	ignored  []string                            // the paths that allow has passed over
	problems []Problem
	values   int // that were put so far
}

// maxValues is how many values a file may set. An alias of a few bytes can stand for a list of any length, and for many such aliases.
const maxValues = 100_000

// maxProblemRunes is the longest text of a problem: it quotes a key or a value, which may be as long as the file.
const maxProblemRunes = 300

// maxFileBytes is more than anybody writes by hand.
const maxFileBytes = 1 << 20

var yamlLine = lazyregexp.New(`^yaml: (?:line (\d+): )?`)

// parse returns the file's top value; nil where it is empty or broken, which is a problem then.
func (s *strictYAML) parse(data []byte) *yaml.Node {
	if len(data) > maxFileBytes {
		s.fail(0, "", "it has more than %d bytes", maxFileBytes)
		return nil
	}
	var document yaml.Node
	decoder := yaml.NewDecoder(bytes.NewReader(data))
	err := decoder.Decode(&document)
	if errors.Is(err, io.EOF) {
		return nil
	}
	if err == nil && !errors.Is(decoder.Decode(new(yaml.Node)), io.EOF) {
		s.fail(0, "", "more than one document")
		return nil
	}
	if err != nil {
		found := yamlLine.FindStringSubmatch(err.Error())
		line := 0
		if len(found) == 2 {
			line, _ = strconv.Atoi(found[1]) // 0 if the message names no line
		}
		s.fail(line, "", "%s", yamlLine.ReplaceAllString(err.Error(), ""))
		return nil
	}
	if len(document.Content) == 0 {
		return nil
	}
	return document.Content[0]
}

// read puts a file into a struct.
func (s *strictYAML) read(data []byte, into any) {
	if node := s.parse(data); node != nil {
		s.put(node, reflect.ValueOf(into).Elem(), "")
	}
}

func (s *strictYAML) fail(line int, hint, format string, args ...any) {
	s.problems = append(s.problems, Problem{origin{s.file, line}, core.Cut(fmt.Sprintf(format, args...), maxProblemRunes), core.Cut(hint, maxProblemRunes)})
}

// put goes down the type, which is never recursive, and the file with it.
func (s *strictYAML) put(node *yaml.Node, into reflect.Value, path string) {
	if node.Kind == yaml.AliasNode {
		node = node.Alias
	}
	if s.values++; s.values > maxValues {
		if s.values == maxValues+1 {
			s.fail(node.Line, "", "the file sets more than %d values", maxValues)
		}
		return
	}
	if node.Tag == "!!null" { // nothing is set
		return
	}
	if path != "" && s.allow != nil && !s.allow(path, node.Value) {
		s.ignored = append(s.ignored, path)
		return
	}
	if at, located := into.Addr().Interface().(interface{ locate(line int) }); located {
		at.locate(node.Line)
	}
	switch reader, isText := into.Addr().Interface().(encoding.TextUnmarshaler); {
	case isText:
		s.putScalar(node, path, reader.UnmarshalText)
	case into.Kind() == reflect.Struct:
		s.putStruct(node, into, path)
	case into.Kind() == reflect.Map:
		s.putMap(node, into, path)
	case into.Kind() == reflect.Slice:
		s.putList(node, into, path)
	default:
		s.putScalar(node, path, func([]byte) error { return putPlain(node, into) })
	}
}

func (s *strictYAML) putStruct(node *yaml.Node, into reflect.Value, path string) {
	fields := fieldsOf(into)
	s.eachKey(node, path, func(key string, keyNode, value *yaml.Node) {
		field, known := fields[key]
		if !known {
			s.fail(keyNode.Line, meant(dotted(path, key), keysOf(fields, path)), "unknown key %q", dotted(path, key))
			return
		}
		s.put(value, field, dotted(path, key))
	})
}

func (s *strictYAML) putMap(node *yaml.Node, into reflect.Value, path string) {
	if into.Type().Elem().Kind() == reflect.Interface {
		value := reflect.New(into.Type())
		if err := node.Decode(value.Interface()); err != nil {
			s.fail(node.Line, "", "%s: expected names and values", path)
			return
		}
		into.Set(value.Elem())
		s.origins[path] = origin{s.file, node.Line}
		return
	}
	if into.IsNil() {
		into.Set(reflect.MakeMap(into.Type()))
	}
	s.eachKey(node, path, func(key string, keyNode, value *yaml.Node) {
		if check := s.checks[nameOfKeys(path)]; check != nil {
			if err := check(key); err != nil {
				s.fail(keyNode.Line, core.HintOf(err), "%s: %s", path, err)
				return
			}
		}
		entry := reflect.New(into.Type().Elem()).Elem()
		s.origins[dotted(path, key)] = origin{s.file, keyNode.Line}
		s.put(value, entry, dotted(path, key))
		into.SetMapIndex(reflect.ValueOf(key), entry)
	})
}

func (s *strictYAML) putList(node *yaml.Node, into reflect.Value, path string) {
	if node.Kind != yaml.SequenceNode {
		s.fail(node.Line, "", "%s: expected a list", path)
		return
	}
	if s.values+len(node.Content) > maxValues {
		s.values = max(s.values, maxValues)
		s.put(node, into, path) // which reports it
		return
	}
	list := reflect.MakeSlice(into.Type(), len(node.Content), len(node.Content))
	for i, item := range node.Content {
		s.put(item, list.Index(i), path)
	}
	into.Set(list)
	s.origins[path] = origin{s.file, node.Line}
}

func (s *strictYAML) putScalar(node *yaml.Node, path string, set func([]byte) error) {
	if node.Kind != yaml.ScalarNode {
		s.fail(node.Line, "", "%s: expected one value", path)
		return
	}
	err := set([]byte(node.Value))
	if check := s.checks[pattern(path)]; err == nil && check != nil {
		err = check(node.Value)
	}
	if err != nil {
		s.fail(node.Line, core.HintOf(err), "%s: %s", path, err)
		return
	}
	s.origins[path] = origin{s.file, node.Line}
}

// putPlain sets text, a number or a truth. Text may look like a number: a port among a command's words.
func putPlain(node *yaml.Node, into reflect.Value) error {
	switch into.Kind() {
	case reflect.String:
		into.SetString(node.Value)
		return nil
	case reflect.Bool:
		var value bool
		if node.Decode(&value) != nil {
			return core.E(core.Invalid, "%q is neither true nor false", node.Value)
		}
		into.SetBool(value)
		return nil
	default:
		value, err := strconv.ParseInt(node.Value, 10, 64)
		if err != nil || value < 0 {
			return core.E(core.Invalid, "invalid number %q: want a whole number of 0 or more", node.Value)
		}
		into.SetInt(value)
		return nil
	}
}

// eachKey calls f for each pair of a mapping.
func (s *strictYAML) eachKey(node *yaml.Node, path string, f func(key string, keyNode, value *yaml.Node)) {
	if node.Kind != yaml.MappingNode {
		s.fail(node.Line, "", "%sexpected keys and values", strings.TrimPrefix(path+": ", ": "))
		return
	}
	seen := map[string]bool{}
	for i := 0; i+1 < len(node.Content); i += 2 {
		key := node.Content[i]
		if seen[key.Value] {
			s.fail(key.Line, "", "duplicate key %q", dotted(path, key.Value))
			continue
		}
		seen[key.Value] = true
		f(key.Value, key, node.Content[i+1])
	}
}

// fieldsOf returns the fields of a struct by their keys.
func fieldsOf(value reflect.Value) map[string]reflect.Value {
	fields := map[string]reflect.Value{}
	for i := range value.NumField() {
		field := value.Type().Field(i)
		if key := field.Tag.Get("yaml"); key != "" {
			fields[key] = value.Field(i)
		} else if field.Anonymous && field.Type.Kind() == reflect.Struct {
			maps.Copy(fields, fieldsOf(value.Field(i)))
		}
	}
	return fields
}

func keysOf(fields map[string]reflect.Value, path string) []string {
	var keys []string
	for key := range fields {
		keys = append(keys, dotted(path, key))
	}
	slices.Sort(keys)
	return keys
}

func dotted(path, key string) string {
	if path == "" {
		return key
	}
	return path + "." + key
}

// named are the sections whose keys are names that the user chooses.
var named = lazyregexp.New(`^(providers|mcp)\.[^.]+|\.(headers|env)\.[^.]+$`)

// nameOfKeys is where the check of the names of a map is.
func nameOfKeys(path string) string { return pattern(path) + ".* name" }

// pattern writes a name in a path as *.
func pattern(path string) string {
	return named.ReplaceAllStringFunc(path, func(part string) string {
		return part[:strings.LastIndexByte(part, '.')] + ".*"
	})
}

// meant returns a hint with the known key that is most like a wrong one, or with all of them.
func meant(wrong string, known []string) string {
	key := spelling.Nearest(wrong, known, func(string) int { return len(wrong)/3 + 1 })
	if key == "" {
		return "known keys: " + strings.Join(known, ", ")
	}
	return fmt.Sprintf("did you mean %s?", key)
}
