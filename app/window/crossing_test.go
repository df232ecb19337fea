package window

import (
	"reflect"
	"strings"
	"testing"
)

// TestTypesThatCross checks the types in every binding: none of them may be changed by Wails or JSON on the way to
// TypeScript, or fail to be marshalled, which would end the process.
func TestTypesThatCross(t *testing.T) {
	t.Parallel()
	bindings := reflect.TypeFor[*bindings]()
	for i := range bindings.NumMethod() {
		method := bindings.Method(i)
		if method.Type.IsVariadic() {
			t.Errorf("%s is variadic: its promise would never settle", method.Name)
		}
		for in := 1; in < method.Type.NumIn(); in++ {
			checkType(t, method.Name, method.Type.In(in), nil)
		}
		checkResults(t, method)
	}
}

// TestBoundStructsAreSmall requires that every method is bound exactly once, and that no bound struct has more than 25.
func TestBoundStructsAreSmall(t *testing.T) {
	t.Parallel()
	bound := 0
	for _, one := range newBindings(&quietHost{}, "").bound() {
		of := reflect.TypeOf(one)
		bound += of.NumMethod()
		if of.NumMethod() == 0 || of.NumMethod() > 25 {
			t.Errorf("%s has %d methods, want 1 to 25", of, of.NumMethod())
		}
	}
	if all := reflect.TypeFor[*bindings]().NumMethod(); bound != all {
		t.Errorf("%d methods are bound, and %d have a name of their own", bound, all)
	}
}

func checkResults(t *testing.T, method reflect.Method) {
	t.Helper()
	out := method.Type.NumOut()
	if out < 1 || out > 2 || method.Type.Out(out-1) != reflect.TypeFor[error]() {
		t.Errorf("%s must return (T, error) or error", method.Name)
		return
	}
	if out == 2 {
		checkType(t, method.Name, method.Type.Out(0), nil)
	}
}

func checkType(t *testing.T, where string, of reflect.Type, above []reflect.Type) {
	t.Helper()
	for _, outer := range above {
		if outer == of {
			return
		}
	}
	above = append(above, of)
	switch of.Kind() {
	case reflect.String, reflect.Bool, reflect.Int, reflect.Int64:
	case reflect.Slice:
		if of.Elem().Kind() == reflect.Uint8 {
			t.Errorf("%s: %s becomes base64 where TypeScript expects numbers", where, of)
			return
		}
		checkType(t, where, of.Elem(), above)
	case reflect.Struct:
		if of.PkgPath() == "time" {
			t.Errorf("%s: %s has no type in TypeScript", where, of)
			return
		}
		checkFields(t, where, of, above)
	case reflect.Pointer:
		if of.Elem().Kind() != reflect.Int64 { // a cost that may be unknown
			t.Errorf("%s: %s may be null", where, of)
		}
	case reflect.Map:
		if of != reflect.TypeFor[map[string]string]() { // an object in JSON; whoever makes one makes it non-nil
			t.Errorf("%s: %s must not cross", where, of)
		}
	default:
		t.Errorf("%s: %s must not cross", where, of)
	}
}

func checkFields(t *testing.T, where string, of reflect.Type, above []reflect.Type) {
	t.Helper()
	for i := range of.NumField() {
		field := of.Field(i)
		tag := field.Tag.Get("json")
		if tag == "-" {
			continue
		}
		name := where + " " + of.Name() + "." + field.Name
		if field.Anonymous && tag == "" && field.Type.Kind() == reflect.Struct { // both JSON and Wails put its fields here
			checkFields(t, name, field.Type, above)
			continue
		}
		if !field.IsExported() || tag == "" || field.Anonymous {
			t.Errorf("%s needs a name in JSON", name)
		}
		of := field.Type
		if of.Kind() == reflect.Pointer && strings.HasSuffix(tag, ",omitempty") { // in TypeScript an optional field
			of = of.Elem()
		}
		checkType(t, name, of, above)
	}
}
