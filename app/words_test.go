package app

import (
	"strings"
	"testing"
	"time"

	"coppice/backend/core"
)

func TestAge(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 6, 1, 12, 0, 0, 0, time.Local)
	for ago, want := range map[time.Duration]string{
		-time.Hour:           "now", // clocks differ
		30 * time.Second:     "now",
		5 * time.Minute:      "5 min",
		47 * time.Hour:       "47 h",
		49 * time.Hour:       "2 d",
		100 * 24 * time.Hour: "2026-02-21",
	} {
		if got := age(now, now.Add(-ago).UnixMilli()); got != want {
			t.Errorf("%v ago: %q, want %q", ago, got, want)
		}
	}
	if got := age(now, 0); got != "" {
		t.Errorf("an unknown time is %q", got)
	}
}

func TestMoney(t *testing.T) {
	t.Parallel()
	nano := func(n int64) *int64 { return &n }
	for want, cost := range map[string]*int64{
		"": nil, "$0.00": nano(0), "$0.0012": nano(1_200_000), "$0.04": nano(40_000_000), "<$0.0001": nano(49_999), "$0.61": nano(610_000_000), "$12.50": nano(12_500_000_000),
	} {
		if got := money(cost); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestCut(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		line    string
		columns int
		want    string
	}{
		{"short", 10, "short"},
		{"exactly", 7, "exactly"},
		{"a long line", 7, "a long…"},
		{"漢字漢字", 5, "漢字…"},
		{"漢字漢字", 4, "漢…"},
		{"👩‍👩‍👧 family", 4, "👩‍👩‍👧 …"},
		{"not cut", 0, "not cut"},
	} {
		if got := cut(test.line, test.columns); got != test.want {
			t.Errorf("cut(%q, %d) = %q, want %q", test.line, test.columns, got, test.want)
		}
	}
}

func TestFileNames(t *testing.T) {
	t.Parallel()
	sessions := []core.Session{
		{ID: "0193ab12-3456-7000-8000-000000000001", Title: "../../etc/passwd"},
		{ID: "0193ab12-3456-7000-8000-000000000002", Title: "CON"},
		{ID: "0193ab12-3456-7000-9000-000000000003", Title: "…漢字 only"},
		{ID: "0193ab12-3456-7000-9000-000000000004", Title: "A title that is much longer than a file's name should be, really"},
		{ID: "0193ab12-3456-7000-9000-000000000005", Title: "!!!"},
	}
	want := []string{
		"etc-passwd-0193ab12-3456-7000-8000-000000000001.md",
		"con-0193ab12-3456-7000-8000-000000000002.md",
		"only-0193ab12-3456-7000-9000-000000000003.md",
		"a-title-that-is-much-longer-than-a-file-s-0193ab12-3456-7000-9000-000000000004.md",
		"0193ab12-3456-7000-9000-000000000005.md",
	}
	for i, got := range fileNames(sessions, ids(sessions), "md") {
		if got != want[i] {
			t.Errorf("got %s, want %s", got, want[i])
		}
	}
}

func TestTableFitsTheTerminal(t *testing.T) {
	t.Parallel()
	tbl := table{columns: []column{{title: "ID"}, {title: "TITLE", flex: true}, {title: "MODEL", spare: true}, {title: "EMPTY"}, {title: "MSGS", right: true}}}
	tbl.add("one", "a title that is too long for the line", "model-x", "", "7")
	tbl.add("two", "short", "model-y", "", "1,204")
	for width, want := range map[int]string{
		0: `ID   TITLE                                  MODEL     MSGS
one  a title that is too long for the line  model-x      7
two  short                                  model-y  1,204
`,
		54: `ID   TITLE                              MODEL     MSGS
one  a title that is too long for the…  model-x      7
two  short                              model-y  1,204
`,
		49: `ID   TITLE                                   MSGS
one  a title that is too long for the line      7
two  short                                  1,204
`,
		40: `ID   TITLE                          MSGS
one  a title that is too long fo…      7
two  short                         1,204
`,
	} {
		var b strings.Builder
		if err := tbl.write(&b, width); err != nil {
			t.Fatal(err)
		}
		if b.String() != want {
			t.Errorf("%d columns: got\n%swant\n%s", width, b.String(), want)
		}
	}
}
