package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"text/tabwriter"
	"time"

	"coppice/app/internal/present"
	"coppice/backend/core"
)

const (
	reportFormat  = "coppice.evaluation"
	reportVersion = 1
)

// report is the result of an evaluation.
type report struct {
	Format      string    `json:"format"`
	Version     int       `json:"version"`
	Program     string    `json:"program"` // its version
	Model       string    `json:"model"`
	Agent       string    `json:"agent,omitempty"`
	StartedAtMs int64     `json:"startedAtMs"`
	DurationMs  int64     `json:"durationMs"`
	Fatal       string    `json:"fatal,omitempty"` // why it stopped before its end
	Passes      int       `json:"passes"`
	Attempts    []attempt `json:"attempts"`
}

// sum completes the report after the last attempt. stopped is why it ended early; nil: it did not.
func (r *report) sum(now time.Time, stopped error) {
	r.DurationMs = now.UnixMilli() - r.StartedAtMs
	if stopped != nil {
		r.Fatal = stopped.Error()
	}
	made := r.Attempts[:0]
	for _, a := range r.Attempts {
		if a.Task == "" { // not begun, or ended in its middle
			continue
		}
		if made = append(made, a); a.Passed {
			r.Passes++
		}
	}
	r.Attempts = made
}

// write writes results.json.
func (r *report) write(folder string) (string, error) {
	path := filepath.Join(folder, "results.json")
	data, err := json.MarshalIndent(r, "", "  ")
	if err == nil {
		err = os.WriteFile(path, append(data, '\n'), 0o600)
	}
	if err != nil {
		return path, core.Wrap(core.Unavailable, err, "write the results")
	}
	return path, nil
}

// print prints a line for each task, and the sums.
func (r *report) print(out io.Writer) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "task\tpassed\tsteps\tcalls\tfailed\tin\tout\tcost\ttime\t")
	all := sums{}
	for from := 0; from < len(r.Attempts); {
		to := from
		one := sums{}
		for ; to < len(r.Attempts) && r.Attempts[to].Task == r.Attempts[from].Task; to++ {
			one.add(&r.Attempts[to])
			all.add(&r.Attempts[to])
		}
		fmt.Fprintln(w, one.row(r.Attempts[from].Task))
		from = to
	}
	fmt.Fprintln(w, all.row("all"))
	if err := w.Flush(); err != nil {
		return core.Wrap(core.Unavailable, err, "print the results")
	}
	return nil
}

// sums are the figures of several attempts.
type sums struct {
	attempt
	attempts, passes int
	unpriced         bool // some of the cost is unknown
	costNanoUSD      int64
}

func (s *sums) add(a *attempt) {
	s.attempts++
	if a.Passed {
		s.passes++
	}
	s.Steps += a.Steps
	s.Calls += a.Calls
	s.FailedCalls += a.FailedCalls
	s.InputTokens += a.InputTokens
	s.OutputTokens += a.OutputTokens
	s.DurationMs += a.DurationMs
	if a.CostNanoUSD != nil {
		s.costNanoUSD += *a.CostNanoUSD
	} else {
		s.unpriced = true
	}
}

// row returns the figures as a line of the table. An unknown cost is no zero.
func (s *sums) row(name string) string {
	cost := present.Money(&s.costNanoUSD)
	switch {
	case s.unpriced && s.costNanoUSD == 0:
		cost = "unknown"
	case s.unpriced:
		cost = "≥ " + cost
	}
	number := func(n int64) string { return strconv.FormatInt(n, 10) }
	took := fmt.Sprintf("%.1f s", float64(s.DurationMs)/1000)
	return fmt.Sprintf("%s\t%d/%d\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t", name, s.passes, s.attempts, number(s.Steps), number(s.Calls),
		number(s.FailedCalls), number(s.InputTokens), number(s.OutputTokens), cost, took)
}

// printTasks prints the names and titles of tasks.
func printTasks(out io.Writer, tasks []task) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, t := range tasks {
		fmt.Fprintf(w, "%s\t%s\n", t.Name, t.Title)
	}
	if err := w.Flush(); err != nil {
		return core.Wrap(core.Unavailable, err, "print the tasks")
	}
	return nil
}
