package patch_test

import (
	"strings"
	"testing"

	"github.com/aymanbagabas/go-udiff"
	"pgregory.net/rapid"

	"coppice/backend/patch"
)

const before = "package a\n\nfunc one() {\n\treturn\n}\n\nfunc two() {\n\treturn\n}\n"

func envelope(body string) string {
	return "*** Begin Patch\n*** Update File: a.go\n" + body + "*** End Patch\n"
}

func TestApply(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ before, patch, want string }{
		"first of two alike":   {before, envelope("@@\n-\treturn\n+\tpanic(1)\n"), strings.Replace(before, "\treturn", "\tpanic(1)", 1)},
		"after a line":         {before, envelope("@@ func two() {\n-\treturn\n+\tpanic(1)\n"), before[:len(before)-10] + "\tpanic(1)\n}\n"},
		"line and context":     {before, envelope("@@ func two() {\n func two() {\n-\treturn\n+\tpanic(1)\n"), before[:len(before)-10] + "\tpanic(1)\n}\n"},
		"no @@ line":           {before, envelope(" func two() {\n+\tx()\n"), strings.Replace(before, "two() {\n", "two() {\n\tx()\n", 1)},
		"add at the end":       {before, envelope("@@\n+// end\n*** End of File\n"), before + "// end\n"},
		"blank context":        {before, envelope("@@\n package a\n\n-func one() {\n+func won() {\n\n"), strings.Replace(before, "one", "won", 1)},
		"other white space":    {before, envelope("@@\n func two() {\n-    return\n+\tx()\n"), before[:len(before)-10] + "\tx()\n}\n"},
		"CRLF stays":           {"a\r\nb\r\nc\r\n", envelope("@@\n a\n-b\n+x\n+y\n"), "a\r\nx\r\ny\r\nc\r\n"},
		"BOM stays":            {"\ufeffa\nb\n", envelope("@@\n-a\n+x\n"), "\ufeffx\nb\n"},
		"no line feed at end":  {"a\nb", envelope("@@\n a\n b\n+c\n"), "a\nb\nc\n"},
		"two hunks":            {before, envelope("@@\n-func one() {\n+func ONE() {\n@@\n-func two() {\n+func TWO() {\n"), strings.NewReplacer("one", "ONE", "two", "TWO").Replace(before)},
		"CRLF in the patch":    {"a\nb\n", strings.ReplaceAll(envelope("@@\n-b\n+c\n"), "\n", "\r\n"), "a\nc\n"},
		"talk around it":       {"a\n", "Here it is:\n" + envelope("-a\n+b\n") + "Done.", "b\n"},
		"no end":               {"a\n", "*** Begin Patch\n*** Update File: a.go\n-a\n+b", "b\n"},
		"unified":              {"a\nb\nc\n", "--- a/a.go\n+++ b/a.go\n@@ -1,3 +1,3 @@\n a\n-b\n+x\n c\n", "a\nx\nc\n"},
		"unified, wrong place": {strings.Repeat("x\n", 50) + "a\nb\nc\n", "--- a.go\n+++ a.go\n@@ -7,3 +7,3 @@\n a\n-b\n+y\n c\n", strings.Repeat("x\n", 50) + "a\ny\nc\n"},
		"unified, nearest":     {"a\nb\na\nb\na\nb\n", "--- a.go\n+++ a.go\n@@ -3,2 +3,2 @@\n a\n-b\n+y\n", "a\nb\na\ny\na\nb\n"},
		"unified, git's":       {"a\n", "diff --git a/a.go b/a.go\nindex 1..2 100644\n--- a/a.go\n+++ b/a.go\n@@ -1 +1,2 @@\n-a\n+b\n+c\n\\ No newline at end of file\n", "b\nc"},
	} {
		files, err := patch.Parse(c.patch)
		if err != nil || len(files) != 1 || files[0].Path != "a.go" {
			t.Errorf("%s: %+v %v", name, files, err)
			continue
		}
		if got, err := files[0].Apply(c.before); err != nil || got != c.want {
			t.Errorf("%s: %q, not %q; %v", name, got, c.want, err)
		}
	}
}

func TestFiles(t *testing.T) {
	t.Parallel()
	files, err := patch.Parse("*** Begin Patch\n*** Add File: new.go\n+a\n+\n*** Delete File: old.go\n\n*** Update File: x.go\n*** Move to: y.go\n@@\n-a\n+b\n\n*** End Patch")
	if err != nil || len(files) != 3 {
		t.Fatalf("%+v %v", files, err)
	}
	if got, err := files[0].Apply(""); err != nil || got != "a\n\n" || !files[0].Created {
		t.Errorf("added: %q %v", got, err)
	}
	if !files[1].Deleted || files[1].Path != "old.go" || files[2].MovedTo != "y.go" || len(files[2].Hunks[0].Lines) != 2 {
		t.Errorf("%+v", files[1:])
	}
	files, err = patch.Parse("--- /dev/null\n+++ b/new.go\n@@ -0,0 +1 @@\n+a\n--- a/old.go\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n")
	if err != nil || len(files) != 2 || !files[0].Created || files[0].Path != "new.go" || !files[1].Deleted || files[1].Path != "old.go" {
		t.Errorf("%+v %v", files, err)
	}
}

func TestErrors(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                                       "changes no file",
		"hello":                                  "changes no file",
		"*** Begin Patch\n*** End Patch":         "changes no file",
		"*** Begin Patch\nx\n*** End Patch":      "line 2 of the patch comes before",
		envelope("@@\n*nothing\n"):               "line 4 of the patch: a line begins with",
		envelope(""):                             "without any change to it",
		"*** Begin Patch\n*** Add File: a\nb\n":  "begins with +",
		"*** Begin Patch\n*** Add File: \n+b\n":  "names no file",
		"--- a\n+++ b\n@@ -1,3 +1 @@\n-a\n+b\n ": "parse the unified diff",
	} {
		if _, err := patch.Parse(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v does not say %q", text, err, want)
		}
	}
	for text, want := range map[string]string{
		envelope("@@ func three() {\n-x\n"):                       `"func three() {"`,
		envelope("@@\n-func three() {\n"):                         `first line is not in the file: "func three() {"`,
		envelope("@@\n func two() {\n-\tpanic(1)\n"):              `line 8 of the file is "\treturn", where the hunk has "\tpanic(1)"`,
		envelope("@@\n-func two() {\n@@\n-func one() {\n"):        "hunk 2 of 2 of a.go: its lines are at line 3",
		envelope("@@\n func two() {\n \treturn\n }\n+a\n-more\n"): "the file ends at line 9",
	} {
		files, err := patch.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := files[0].Apply(before); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v does not say %q", text, err, want)
		}
	}
}

// A diff of two texts leads from the first to the second, and back.
func TestThereAndBack(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		texts := rapid.Map(rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "c", "", "\td", " e "}), 0, 30), func(lines []string) string {
			return strings.Join(lines, "\n")
		})
		one, two := texts.Draw(t, "one"), texts.Draw(t, "two")
		if one == two || one == "" || two == "" {
			return
		}
		for _, way := range [][2]string{{one, two}, {two, one}} {
			diff := udiff.Unified("a/x", "b/x", way[0], way[1])
			files, err := patch.Parse(diff)
			if err != nil || len(files) != 1 {
				t.Fatalf("%q: %+v %v", diff, files, err)
			}
			if got, err := files[0].Apply(way[0]); err != nil || got != way[1] {
				t.Fatalf("%q: %q, not %q; %v", diff, got, way[1], err)
			}
		}
	})
}

// FuzzParse reads any text. A patch that can be read either applies to any text, or the error explains why not.
func FuzzParse(f *testing.F) {
	f.Add(envelope("@@ x\n a\n-b\n+c\n*** End of File\n"), "a\nb\n")
	f.Add("--- a/a\n+++ b/a\n@@ -1,2 +1 @@\n a\n-b\n", "a\r\nb")
	f.Add("*** Begin Patch\n*** Add File: x\n+y\n*** Delete File: z\n*** Update File: q\n*** Move to: r\n", "")
	f.Fuzz(func(t *testing.T, text, before string) {
		files, err := patch.Parse(text)
		if err != nil {
			return
		}
		if len(files) == 0 {
			t.Fatal("no file and no error")
		}
		for _, file := range files {
			after, err := file.Apply(before)
			if err == nil && len(file.Hunks) == 0 && after != before {
				t.Fatalf("%q became %q by nothing", before, after)
			}
		}
	})
}
