package modelname_test

import (
	"encoding/json"
	"os"
	"testing"

	"coppice/backend/modelname"
)

// TestFamily reads the table that the test of the page reads too.
func TestFamily(t *testing.T) {
	data, err := os.ReadFile("testdata/names.json")
	if err != nil {
		t.Fatal(err)
	}
	var names []struct{ ID, Family string }
	if err := json.Unmarshal(data, &names); err != nil {
		t.Fatal(err)
	}
	if len(names) < 10 {
		t.Fatalf("%d names", len(names))
	}
	for _, n := range names {
		if got := modelname.Family(n.ID); got != n.Family {
			t.Errorf("%q: %q, want %q", n.ID, got, n.Family)
		}
		if got := modelname.Family(n.Family); got != n.Family {
			t.Errorf("the family of the family %q is %q", n.Family, got)
		}
	}
}
