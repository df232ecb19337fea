package window

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"coppice/backend/sqlite"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"hold-library": holdLibrary})
}

// holdLibrary acts as another process: it opens the library at the path in its argument, prints a line, and keeps the
// library open until it is interrupted.
func holdLibrary() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	db, err := sqlite.Open(ctx, os.Args[1], sqlite.Options{})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println("open")
	<-ctx.Done()
	if err := db.Close(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
