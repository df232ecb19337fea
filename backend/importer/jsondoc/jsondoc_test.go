package jsondoc

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/tidwall/gjson"
	"pgregory.net/rapid"

	"coppice/backend/core"
)

func outline(t *testing.T, text string, lists ...string) (*Outliner, *Outline) {
	t.Helper()
	o := NewOutliner(lists...)
	out, err := o.Outline(context.Background(), NewScanner(strings.NewReader(text)))
	if err != nil {
		t.Fatal(err)
	}
	return o, out
}

func TestOutline(t *testing.T) {
	const text = "\xEF\xBB\xBF{ \"a\" : 1,\n\"list\":[ {\"x\":\"]\\\"\"} , 2,\"\\\\\", [ ] ],\"t\":{\"b\":true,\"deep\":{\"k\\u0041\":[1],\"l\":null}}, \"z\":\"é\"}"
	o, out := outline(t, text, "list", "t.deep")
	if got := out.Head.Raw; got != `{"a":1,"list":[],"t":{"b":true,"deep":{}},"z":"é"}` {
		t.Error(got)
	}
	if out.Damage != nil || len(out.Skipped) != 0 || strings.Join(out.Keys, " ") != "a list t z" {
		t.Errorf("%+v", out)
	}
	var got []string
	for _, path := range []string{"list", "t.deep"} {
		for _, e := range out.Lists[path] {
			v, err := o.Read(strings.NewReader(text), e)
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, e.Key+v.Raw)
		}
	}
	if want := `{"x":"]\""} 2 "\\" [ ] kA[1] lnull`; strings.Join(got, " ") != want {
		t.Errorf("%v", got)
	}
	_, err := o.Read(strings.NewReader(strings.Replace(text, `"\\"`, `"a"`, 1)), out.Lists["list"][2])
	if core.CodeOf(err) != core.Invalid {
		t.Errorf("a file that changed: %v", err)
	}
}

func TestDamage(t *testing.T) {
	for text, want := range map[string]string{
		`{"a":[1,2`: "the file ends in the middle", `{"a":tr`: "the file ends in the middle", `{"a":"x\`: "the file ends in the middle", `{`: "the file ends in the middle",
		`{"a" 1}`: `'1' where a colon should be`, `{"a":1 "b":2}`: `'"' where a comma should be`, `{a:1}`: `'a' where a key should be`, `{"a":}`: `'}' where a value should be`,
		`{"a":[1}`: `'}' where a value should be`, `{"a":,}`: `',' where a value should be`, `5`: `'5' where an object or a list should be`,
		`{"a":` + strings.Repeat("[", maxNesting+1): "values nest too deep",
	} {
		if _, out := outline(t, text); out.Damage == nil || out.Damage.Message != want {
			t.Errorf("%.20s: %v", text, out.Damage)
		}
	}
	_, out := outline(t, `{"a":nul,"b":1}`)
	if out.Damage != nil || len(out.Skipped) != 1 || out.Head.Raw != `{"b":1}` {
		t.Errorf("%+v", out)
	}
	failing := errors.New("the disk fails")
	if _, err := NewOutliner().Outline(context.Background(), NewScanner(iotest.ErrReader(failing))); !errors.Is(err, failing) {
		t.Errorf("%v", err)
	}
}

func TestLine(t *testing.T) {
	text := strings.Repeat("x\n", 50_000)
	for offset, want := range map[int64]int64{0: 1, 1: 1, 2: 2, 99_999: 50_000, 100_000: 50_001, 1 << 40: 50_001} {
		if got := Line(strings.NewReader(text), offset); got != want {
			t.Errorf("%d is in line %d, want %d", offset, got, want)
		}
	}
}

// TestRandomDocuments takes documents apart and reassembles them, whatever the sizes of the reads.
func TestRandomDocuments(t *testing.T) {
	value := rapid.Custom(func(t *rapid.T) any {
		return rapid.OneOf(rapid.Just[any](nil), rapid.Map(rapid.String(), func(s string) any { return s }),
			rapid.Map(rapid.Float64(), func(f float64) any { return f }), rapid.Map(rapid.SliceOf(rapid.String()), func(s []string) any { return s }),
			rapid.Map(rapid.MapOf(rapid.String(), rapid.Bool()), func(m map[string]bool) any { return m })).Draw(t, "value")
	})
	rapid.Check(t, func(t *rapid.T) {
		list := rapid.SliceOf(value).Draw(t, "list")
		text, err := json.MarshalIndent(map[string]any{"a": value.Draw(t, "a"), "list": list, "z": value.Draw(t, "z")}, "", strings.Repeat(" ", rapid.IntRange(0, 3).Draw(t, "indent")))
		if err != nil {
			t.Fatal(err)
		}
		o := NewOutliner("list")
		out, err := o.Outline(context.Background(), NewScanner(iotest.OneByteReader(bytes.NewReader(text))))
		if err != nil || out.Damage != nil || !gjson.Valid(out.Head.Raw) {
			t.Fatal(err, out.Damage)
		}
		want := gjson.GetBytes(text, "list").Array()
		if len(want) != len(out.Lists["list"]) {
			t.Fatalf("%d elements, want %d", len(out.Lists["list"]), len(want))
		}
		for i, e := range out.Lists["list"] {
			if v, err := o.Read(bytes.NewReader(text), e); err != nil || v.Raw != want[i].Raw {
				t.Fatalf("%s, want %s: %v", v.Raw, want[i].Raw, err)
			}
		}
		if a := gjson.GetBytes(text, "a"); out.Head.Get("a").Raw != a.Raw {
			t.Fatalf("%s, want %s", out.Head.Get("a").Raw, a.Raw)
		}
	})
}

func FuzzOutline(f *testing.F) {
	f.Add([]byte(`{"a":{"list":[{"x":1},"\\\"",[[]]]},"b":"c"}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		o := NewOutliner("a.list", "l")
		out, err := o.Outline(context.Background(), NewScanner(bytes.NewReader(text)))
		if err != nil || !gjson.Valid(out.Head.Raw) {
			t.Fatal(err, out.Head.Raw)
		}
		for _, e := range append(out.Lists["a.list"], out.Lists["l"]...) {
			if v, err := o.Read(bytes.NewReader(text), e); err == nil && !gjson.Valid(v.Raw) {
				t.Fatalf("%q", v.Raw)
			} else if core.CodeOf(err) == core.Invalid {
				t.Fatal(err)
			}
		}
		if gjson.ValidBytes(text) && bytes.HasPrefix(bytes.TrimLeft(text, " \n\t\r"), []byte("{")) && out.Damage != nil {
			t.Fatal(out.Damage)
		}
	})
}
