package anthropic_test

import (
	"net/http"
	"testing"
)

// TestPagesOfModels lists models of a server with pages of one model, and ends if the server repeats a page.
func TestPagesOfModels(t *testing.T) {
	for name, next := range map[string]map[string]string{
		"two pages":     {"": `{"data":[{"id":"a"}],"has_more":true,"last_id":"a"}`, "a": `{"data":[{"id":"b"}],"has_more":false,"last_id":"b"}`},
		"the same page": {"": `{"data":[{"id":"a"}],"has_more":true,"last_id":"a"}`, "a": `{"data":[{"id":"b"}],"has_more":true,"last_id":"a"}`},
	} {
		c := client(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			_, _ = w.Write([]byte(next[r.URL.Query().Get("after_id")]))
		}))
		models, err := c.Models(t.Context())
		if err != nil || len(models) != 2 || models[0].ID != "a" || models[1].ID != "b" {
			t.Errorf("%s: %+v, %v", name, models, err)
		}
	}
}
