package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

// emptyProgram does nothing, with the largest library that every command needs.
const emptyProgram = `package main

import _ "modernc.org/sqlite"

func main() {}
`

// maxStartRatio bounds what a command costs before it begins. Most of it is work of libraries: docs/decisions/0024-start-of-a-command.md.
const maxStartRatio = 16

// measureStart compares the processor time of a command that does nothing with that of an empty program.
func measureStart(ctx context.Context, p plan, folder string) ([]row, error) {
	source := filepath.Join(folder, "empty.go")
	if err := os.WriteFile(source, []byte(emptyProgram), 0o600); err != nil {
		return nil, fmt.Errorf("write the empty program: %w", err)
	}
	var programs [2]string
	for i, what := range []string{".", source} {
		programs[i] = filepath.Join(folder, fmt.Sprint("program", i))
		build := exec.CommandContext(ctx, "go", "build", "-trimpath", "-ldflags", "-s -w", "-o", programs[i], what)
		build.Env = append(os.Environ(), "CGO_ENABLED=0")
		if out, err := build.CombinedOutput(); err != nil {
			return nil, fmt.Errorf("build %s: %w: %s", what, err, out)
		}
	}
	command, empty := &sample{}, &sample{}
	for range p.size(50) {
		for _, c := range []struct {
			sample *sample
			cmd    *exec.Cmd
		}{
			{command, exec.CommandContext(ctx, programs[0], "version")},
			{empty, exec.CommandContext(ctx, programs[1])},
		} {
			if err := c.cmd.Run(); err != nil {
				return nil, fmt.Errorf("run %s: %w", c.cmd, err)
			}
			c.sample.processor = append(c.sample.processor, c.cmd.ProcessState.UserTime()+c.cmd.ProcessState.SystemTime())
		}
	}
	return []row{startRow(command.medianProcessor(), empty.medianProcessor())}, nil
}

func startRow(command, empty time.Duration) row {
	return row{
		what:      "coppice version, processor time",
		figure:    show(command),
		reference: "an empty program with modernc.org/sqlite " + show(empty),
		ratio:     float64(command) / float64(max(empty, 1)),
		limit:     maxStartRatio,
	}
}
