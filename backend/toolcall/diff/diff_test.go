package diff

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"coppice/backend/patch"
)

func show(files ...patch.File) string {
	var b strings.Builder
	for _, f := range files {
		fmt.Fprintf(&b, "%s", f.Path)
		if f.MovedTo != "" {
			fmt.Fprintf(&b, " to %s", f.MovedTo)
		}
		if f.Created {
			b.WriteString(" created")
		}
		if f.Deleted {
			b.WriteString(" deleted")
		}
		b.WriteString("\n")
		for _, h := range f.Hunks {
			b.WriteString("@@\n")
			for _, l := range h.Lines {
				fmt.Fprintf(&b, "%d:%d%c%s\n", l.Old, l.New, l.Op, l.Text)
			}
		}
	}
	return b.String()
}

func TestForms(t *testing.T) {
	cases := []struct {
		name string
		got  []patch.File
		want string
	}{
		{
			"pieces",
			[]patch.File{Compute("a.go", "x\ny", "x\nz\n", false)},
			"a.go\n@@\n0:0 x\n0:0-y\n0:0+z\n",
		},
		{
			"whole files",
			[]patch.File{Compute("a.go", "1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n", true)},
			"a.go\n@@\n7:7 7\n8:8 8\n9:9 9\n0:10+10\n",
		},
		{"new file", []patch.File{Create("a", "x\n\ny")}, "a created\n@@\n0:1+x\n0:2+\n0:3+y\n"},
		{"empty new file", []patch.File{Create("a", "")}, "a created\n"},
		{"nothing changed", []patch.File{Compute("a", "x", "x\n", false)}, "a\n"},
		{
			"envelope", Envelope("*** Begin Patch\n*** Update File: a.go\n*** Move to: b.go\n@@ func f\n x\n-y\n+z\n@@\n-1\n+2\n*** Add File: c\n+n\n*** Delete File: d\n*** End Patch\nEOF\n"),
			"a.go to b.go\n@@\n0:0 x\n0:0-y\n0:0+z\n@@\n0:0-1\n0:0+2\nc created\n@@\n0:1+n\nd deleted\n",
		},
		{
			"git", Unified("", "diff --git a/x b/x\nindex 1..2 100644\n--- a/x\n+++ b/x\n@@ -3,2 +3,2 @@ func\n a\n-b\n+c\n\\ No newline at end of file\n--- /dev/null\n+++ b/y\n@@ -0,0 +1 @@\n+--- not a header\n"),
			"x\n@@\n3:3 a\n4:0-b\n0:4+c\ny created\n@@\n0:1+--- not a header\n",
		},
		{"without header", Unified("a", "@@ -1 +1,2 @@\n x\n+y"), "a\n@@\n1:1 x\n0:2+y\n"},
		{"broken header", Unified("a", "@@ -x +y @@\n@@ -"), ""},
		{"listing", []patch.File{Listing("a", " 9 x\n-10 y\n+10 z\n    ...\n 20 w\n")}, "a\n@@\n0:9 x\n10:0-y\n0:10+z\n@@\n0:20 w\n"},
	}
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			if got := show(tc.got...); got != tc.want {
				t.Errorf("got\n%s\nwant\n%s", got, tc.want)
			}
		})
	}
}

// TestComputeKeepsTheWholeText applies every computed diff: the result is the text after.
func TestComputeKeepsTheWholeText(t *testing.T) {
	text := rapid.Custom(func(t *rapid.T) string {
		return strings.Join(rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "c", "", "\t"}), 0, 30).Draw(t, "lines"), "\n")
	})
	rapid.Check(t, func(t *rapid.T) {
		before, after := text.Draw(t, "before"), text.Draw(t, "after")
		old := strings.Split(strings.TrimSuffix(closed(before), "\n"), "\n")
		f := Compute("f", before, after, true)
		var got []string
		at := int64(1)
		for _, hunk := range f.Hunks {
			for _, line := range hunk.Lines {
				if line.Op != patch.Added {
					for at < line.Old {
						got = append(got, old[at-1])
						at++
					}
					if old[at-1] != line.Text {
						t.Fatalf("line %d is %q, the diff says %q", at, old[at-1], line.Text)
					}
					at++
				}
				if line.Op != patch.Removed {
					for int64(len(got)) < line.New-1 { // lines that the diff skips
						got = append(got, old[at-1])
						at++
					}
					got = append(got, line.Text)
				}
			}
		}
		for before != "" && at <= int64(len(old)) {
			got = append(got, old[at-1])
			at++
		}
		if want := closed(after); strings.Join(got, "\n") != strings.TrimSuffix(want, "\n") {
			t.Fatalf("%q to %q gives %q", before, after, got)
		}
	})
}

func TestComputeOfLongTexts(t *testing.T) {
	f := Compute("f", strings.Repeat("a\n", maxCompute/4), strings.Repeat("b\n", maxCompute/4+1), false)
	added, removed := f.Counts()
	if added != maxCompute/4+1 || removed != maxCompute/4 {
		t.Errorf("+%d -%d", added, removed)
	}
}

func FuzzForms(f *testing.F) {
	f.Add("*** Begin Patch\n*** Update File: a\n@@\n-x\n+y\n*** End Patch")
	f.Add("--- a/x\n+++ b/x\n@@ -1,3 +1,2 @@\n a\n-b\n c\n")
	f.Add("-  1 a\n+  1 b\n")
	f.Fuzz(func(_ *testing.T, text string) {
		Envelope(text)
		Unified("p", text)
		Listing("p", text)
	})
}
