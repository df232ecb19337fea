package present

import (
	"strings"
	"testing"
	"time"
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
		if got := Age(now, now.Add(-ago).UnixMilli()); got != want {
			t.Errorf("%v ago: %q, want %q", ago, got, want)
		}
	}
	if got := Age(now, 0); got != "" {
		t.Errorf("an unknown time is %q", got)
	}
}

func TestMoney(t *testing.T) {
	t.Parallel()
	nano := func(n int64) *int64 { return &n }
	for want, cost := range map[string]*int64{
		"": nil, "$0.00": nano(0), "$0.0012": nano(1_200_000), "$0.04": nano(40_000_000), "<$0.0001": nano(49_999), "$0.61": nano(610_000_000), "$12.50": nano(12_500_000_000),
	} {
		if got := Money(cost); got != want {
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
		if got := Cut(test.line, test.columns); got != test.want {
			t.Errorf("cut(%q, %d) = %q, want %q", test.line, test.columns, got, test.want)
		}
	}
}

func TestTableFitsTheTerminal(t *testing.T) {
	t.Parallel()
	tbl := Table{Columns: []Column{{Title: "ID"}, {Title: "TITLE", Flex: true}, {Title: "MODEL", Spare: true}, {Title: "EMPTY"}, {Title: "MSGS", Right: true}}}
	tbl.Add("one", "a title that is too long for the line", "model-x", "", "7")
	tbl.Add("two", "short", "model-y", "", "1,204")
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
		if err := tbl.Write(&b, width); err != nil {
			t.Fatal(err)
		}
		if b.String() != want {
			t.Errorf("%d columns: got\n%swant\n%s", width, b.String(), want)
		}
	}
}
