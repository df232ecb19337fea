// Command bench measures the performance goals of the store, the importer, the search and the screen, and prints one
// table. Each row is a ratio to a reference measured in the same run, because machines differ and are noisy. For the
// screen the reference is a time budget. The exit code is 1 if a ratio exceeds its limit.
//
//	go run ./app/bench [-samples DIR] [-quick] [-large] [-only NAME] [-screen-library FILE]
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"text/tabwriter"
)

func main() {
	samples := flag.String("samples", "../shared/samples/claude-code", "folder of Claude Code sessions to import")
	quick := flag.Bool("quick", false, "a tenth of the sizes, to see that it runs")
	large := flag.Bool("large", os.Getenv("BENCH_LARGE") != "", "1.7 GB of sessions instead of 350 MB")
	only := flag.String("only", "", "measure only this: start, append, step, branch, window, list, import, library, encrypted, follow, huge, codex, export, redact, pages, screen")
	screen := flag.String("screen-library", "", "file to keep the library of the screen in, so that the next run need not make it again")
	alone := flag.String("import", "", "import this Codex file, and print the most memory that took, in bytes")
	into := flag.String("into", "", "the library to import it into")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if *alone != "" {
		if err := importAlone(ctx, *alone, *into); err != nil {
			fmt.Fprintln(os.Stderr, "bench:", err)
			os.Exit(1)
		}
		return
	}
	rows, err := measure(ctx, plan{samples: *samples, quick: *quick, large: *large, only: *only, screenLibrary: *screen})
	report(rows)
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
	for _, r := range rows {
		if r.missed() {
			os.Exit(1)
		}
	}
}

// row is one line of the table. A limit of 0 means that the figure is shown but not checked.
type row struct {
	what      string
	figure    string // the measured value, with its unit
	reference string // what it is compared with, with its value
	ratio     float64
	limit     float64
	failed    bool // it could not be measured; the figure holds the reason
}

func (r row) missed() bool { return r.failed || r.limit > 0 && r.ratio > r.limit }

func report(rows []row) {
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "what\tmeasured\treference\tratio\tlimit\t")
	for _, r := range rows {
		ratio, limit, verdict := "", "", ""
		if r.ratio > 0 {
			ratio = fmt.Sprintf("%.2f", r.ratio)
		}
		if r.limit > 0 {
			limit, verdict = fmt.Sprintf("≤ %.1f", r.limit), "ok"
		}
		if r.missed() {
			verdict = "MISSED"
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\n", r.what, r.figure, r.reference, ratio, limit, verdict)
	}
	w.Flush()
}
