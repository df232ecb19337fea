package term

import (
	"context"
	"time"

	"coppice/backend/sqlite"
)

// estimatePatience is how long a command that lists costs waits for the estimates of an older library.
const estimatePatience = 2 * time.Second

// EstimateCosts estimates costs that are missing or were estimated with other prices, as far as that takes little time. The
// next command continues.
func (s *Shell) EstimateCosts(ctx context.Context, db *sqlite.DB) error {
	return brieflyDo(ctx, estimatePatience, func(ctx context.Context) error { return db.EstimateCosts(ctx, nil) })
}
