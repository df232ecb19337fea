package term

import (
	"context"
	"errors"
	"time"

	"coppice/backend/sqlite"
)

// estimatePatience is how long a command that lists costs waits for the estimates of an older library.
const estimatePatience = 2 * time.Second

// EstimateCosts estimates costs that are missing or were estimated with other prices, as far as that takes little time. The
// next command continues.
func (s *Shell) EstimateCosts(ctx context.Context, db *sqlite.DB) error {
	brief, cancel := context.WithTimeout(ctx, estimatePatience)
	defer cancel()
	err := db.EstimateCosts(brief, nil)
	if err != nil && ctx.Err() == nil && errors.Is(brief.Err(), context.DeadlineExceeded) {
		return nil
	}
	return err
}
