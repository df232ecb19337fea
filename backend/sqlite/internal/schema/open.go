package schema

import (
	"context"
	"path/filepath"
	"time"

	"coppice/backend/core"
	"coppice/backend/sqlite/internal/conn"
	"coppice/backend/sqlite/internal/packing"
	"coppice/backend/sqlite/internal/store"
	"coppice/migrations"
)

// Current returns the schema of this program.
func Current() Schema { return Schema{Files: migrations.FS} }

// Open opens a library and brings its file to the schema.
func (s Schema) Open(ctx context.Context, path string, opts store.Options) (*store.Library, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return nil, core.Wrap(core.Invalid, err, "find the library %s", path)
	}
	codec, err := packing.NewCodec(opts.Prices)
	if err != nil {
		return nil, conn.Fail(err, "open the library %s", abs)
	}
	l := &store.Library{Now: opts.Now, Codec: codec}
	if l.Now == nil {
		l.Now = func() int64 { return time.Now().UnixMilli() }
	}
	l.File, err = conn.Open(ctx, abs, conn.Options{
		ReadOnly: opts.ReadOnly, Fallback: opts.Fallback, Match: s.mustMatch,
		Prepare: func(ctx context.Context) (*conn.Presence, error) { return s.prepare(ctx, abs, l.Now()) },
	})
	if err != nil {
		return nil, conn.Fail(err, "open the library %s", abs)
	}
	return l, nil
}
