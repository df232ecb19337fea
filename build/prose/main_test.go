package main

import (
	"strings"
	"testing"
)

func TestIdiomsAreFound(t *testing.T) {
	tests := []struct {
		name, path, source string
		want               []string // line and phrase
	}{
		{"doc comment", "a.go", "package a\n\n// ok says whether it is.\nvar ok = true\n", []string{"3 says whether"}},
		{"across lines", "a.go", "package a\n\n// It says\n// how.\n", []string{"3 says how"}},
		{"trailing comment", "a.go", "package a\n\nvar a = 1 // told by b\n", []string{"3 told"}},
		{"Go string", "a.go", "package a\n\nconst a = `it stands here`\n", nil},
		{"plain English", "a.go", "package a\n\n// ok reports whether it can stand alone; personal, understands.\n", nil},
		{"capital", "a.go", "package a\n\n// There is none.\n", []string{"3 There is none"}},
		{"line comment of TypeScript", "a.ts", "const a = 1; // made anew\n", []string{"1 anew"}},
		{"block comment of TypeScript", "a.tsx", "/**\n * It hangs\n * on b.\n */\nconst person = 'tells';\n", []string{"2 hangs on"}},
		{"address in TypeScript", "a.ts", "const a = 'https://person.example';\n", nil},
		{"comment in JSX", "a.tsx", "<p>\n  {/* a person */}\n  The person\n</p>\n", []string{"2 person"}},
		{"Markdown", "a.md", "# A\n\nWork goes\non.\n", []string{"3 goes on"}},
		{"code in Markdown", "a.md", "`told` is a word.\n\n```\ntold\n```\n\nIt is told.\n", []string{"7 told"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			blocks, err := reader(test.path)(test.source)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, block := range blocks {
				for _, f := range match(test.path, block) {
					got = append(got, strings.TrimPrefix(strings.Split(f.String(), ": ")[0], test.path+":")+" "+f.phrase)
				}
			}
			if strings.Join(got, "|") != strings.Join(test.want, "|") {
				t.Errorf("found %q, want %q", got, test.want)
			}
		})
	}
}

func TestFilesOfOthersAreNotRead(t *testing.T) {
	for _, path := range []string{"a/testdata/b.md", "frontend/src/wailsjs/a.ts", "docs/glossary.md", "a.sql"} {
		if reader(path) != nil {
			t.Errorf("%s is read", path)
		}
	}
}

func TestCheckComparesCountsWithCeilings(t *testing.T) {
	limits, err := parseCeilings("# comment\nbackend/a 1\ndocs 2\n")
	if err != nil {
		t.Fatal(err)
	}
	one := finding{"backend/a/b/c.go", 3, "told", "reports"}
	tests := []struct {
		name  string
		found []finding
		fails bool
		want  string
	}{
		{"at the ceiling", []finding{one, {"docs/x.md", 1, "told", ""}, {"docs/x.md", 2, "told", ""}}, false, ""},
		{"below", nil, false, "docs: 0 idioms, the ceiling is 2: lower it"},
		{"above", []finding{one, one}, true, `backend/a/b/c.go:3: "told": use reports`},
		{"without a ceiling", []finding{{"README.md", 1, "anew", "again"}}, true, ".: 1 idioms, the ceiling is 0"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var out strings.Builder
			err := check(&out, limits, countByFolder(test.found), test.found)
			if (err != nil) != test.fails || !strings.Contains(out.String(), test.want) {
				t.Errorf("check returned %v and printed %q, want %q", err, out.String(), test.want)
			}
			if test.want == "" && out.String() != "" {
				t.Errorf("check printed %q", out.String())
			}
		})
	}
}

func TestCeilingsOnlyFall(t *testing.T) {
	got := lowered(map[string]int{"a": 5, "b": 2, "c": 1}, map[string]int{"a": 3, "b": 4, "d": 9})
	if !strings.HasSuffix(got, ".\na 3\nb 2\n") {
		t.Errorf("got %q", got)
	}
}

func TestInvalidCeilingsAreErrors(t *testing.T) {
	for _, text := range []string{"a", "a b", "a 1 2"} {
		if _, err := parseCeilings(text); err == nil {
			t.Errorf("%q was accepted", text)
		}
	}
}
