package opencode

import (
	"context"
	"iter"

	"github.com/tidwall/gjson"

	"coppice/backend/core"
	"coppice/backend/importer/jsondoc"
	"coppice/backend/importer/jsonl"
)

// export is the list of messages in the output of "opencode export".
type export struct {
	file     core.SourceFile
	outliner *jsondoc.Outliner
	elements []jsondoc.Element
}

func (x *export) each(_ context.Context, _ string) iter.Seq2[raw, error] {
	return func(yield func(raw, error) bool) {
		for _, e := range x.elements {
			v, err := x.outliner.Read(x.file.Data, e)
			if err != nil {
				x.file.Problem(e.Line, err.Error())
				continue
			}
			r := raw{id: jsonl.Text(v.Get("info.id")), info: v.Get("info")}
			jsonl.Each(v.Get("parts"), func(_ string, p gjson.Result) bool {
				if p.IsObject() {
					r.parts = append(r.parts, p)
				}
				return true
			})
			if kind := v.Get("type"); !r.info.Exists() && kind.Exists() { // of 2.x
				r = raw{id: jsonl.Text(v.Get("id")), kind: jsonl.Text(kind), info: v}
			}
			if r.id == "" || !r.info.IsObject() {
				x.file.Problem(e.Line, "a message without an id, skipped")
				continue
			}
			if !yield(r, nil) {
				return
			}
		}
	}
}
