package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"strconv"
	"strings"

	"coppice/backend/importer"
	"coppice/backend/importer/codex"
)

// codexMemoryBytes is the memory limit for the import of a Codex file of 2 GB, the largest size seen.
const codexMemoryBytes = 200_000_000

// measureCodex imports a Codex file of 2 GB in a process of its own and measures the peak memory of the process.
func measureCodex(ctx context.Context, p plan, folder string) ([]row, error) {
	wanted := int64(2_000_000_000)
	if p.quick {
		wanted /= 10
	}
	path := filepath.Join(folder, "rollout-2026-01-01T00-00-00-00000000-0000-7000-8000-000000000001.jsonl")
	size, lines, err := writeCodex(path, wanted)
	if err != nil {
		return nil, err
	}
	validate := &sample{run: func() error { return validLines([]string{path}) }}
	peakBytes := int64(0)
	imported := &sample{run: func() (err error) {
		peakBytes, err = importApart(ctx, path, filepath.Join(folder, "codex.db"))
		return err
	}}
	if err := alternate(ctx, 1, validate, imported); err != nil {
		return nil, err
	}
	what := fmt.Sprintf("import a Codex file of %d lines, %s", lines, megabytes(size))
	first := compare(what, imported, "checking that the lines are JSON:", validate, 0)
	first.figure += ", " + rate(size, imported.median())
	memory := row{what: "  its memory, at most", figure: "unknown here", reference: "allowed: " + megabytes(codexMemoryBytes)}
	if peakBytes > 0 {
		memory.figure, memory.ratio, memory.limit = megabytes(peakBytes), float64(peakBytes)/codexMemoryBytes, 1
	}
	return []row{first, memory}, nil
}

// importApart runs importAlone in another process.
func importApart(ctx context.Context, path, library string) (peakBytes int64, err error) {
	self, err := os.Executable()
	if err != nil {
		return 0, err
	}
	child := exec.CommandContext(ctx, self, "-import", path, "-into", library)
	child.Stderr = os.Stderr
	out, err := child.Output()
	if err != nil {
		return 0, fmt.Errorf("import %s in a process of its own: %w", path, err)
	}
	return strconv.ParseInt(strings.TrimSpace(string(out)), 10, 64)
}

// importAlone imports one Codex file as coppice import does, and prints the peak memory of the process in bytes; 0 if
// the system does not report it.
func importAlone(ctx context.Context, path, library string) error {
	debug.SetMemoryLimit(112 << 20)
	db, err := openLibrary(ctx, filepath.Dir(library), strings.TrimSuffix(filepath.Base(library), ".db"))
	if err != nil {
		return err
	}
	defer db.Close()
	im := &importer.Importer{Library: db, Formats: []importer.Format{codex.Format()}}
	report, err := im.Import(ctx, []string{path}, "")
	if err != nil {
		return err
	}
	if report.Imported != 1 || len(report.Problems) > 0 {
		return fmt.Errorf("%d sessions, problems %v", report.Imported, report.Problems)
	}
	fmt.Println(peakMemory())
	return nil
}

// peakMemory returns VmHWM of Linux, see proc_pid_status(5).
func peakMemory() int64 {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(status)) {
		var kilobytes int64
		if _, err := fmt.Sscanf(line, "VmHWM: %d kB", &kilobytes); err == nil {
			return kilobytes << 10
		}
	}
	return 0
}

// writeCodex writes a session of one model at work: turns of twenty calls, with most of the bytes in the output of the
// tools.
func writeCodex(path string, wantedBytes int64) (sizeBytes int64, lines int, err error) {
	f, err := os.Create(path)
	if err != nil {
		return 0, 0, err
	}
	defer f.Close()
	w := bufio.NewWriterSize(f, 1<<20)
	random := rand.New(rand.NewPCG(1, 2)) //nolint:gosec // the same file every time
	var line bytes.Buffer
	say := func(kind, payload string, values ...any) {
		line.Reset()
		ms := 200 * lines
		fmt.Fprintf(&line, `{"timestamp":"2026-01-%02dT%02d:%02d:%02d.%03dZ","type":%q,"payload":`, 1+ms/86_400_000, ms/3_600_000%24, ms/60_000%60, ms/1000%60, ms%1000, kind)
		fmt.Fprintf(&line, payload+"}\n", values...)
		n, _ := w.Write(line.Bytes()) // Flush returns the error
		sizeBytes += int64(n)
		lines++
	}
	say("session_meta", `{"id":"00000000-0000-7000-8000-000000000001","timestamp":"2026-01-01T00:00:00.000Z","cwd":"/home/ada/work","originator":"codex_cli_rs","cli_version":"0.106.0","source":"cli"}`)
	for step := 0; sizeBytes < wantedBytes; step++ {
		if step%20 == 0 {
			said := fmt.Sprintf("now look at part %d", step/20)
			say("turn_context", `{"cwd":"/home/ada/work","approval_policy":"never","model":"gpt-5.2","effort":"high"}`)
			say("response_item", `{"type":"message","role":"user","content":[{"type":"input_text","text":%q}]}`, said)
			say("event_msg", `{"type":"user_message","message":%q}`, said)
		}
		say("response_item", `{"type":"reasoning","summary":[],"content":null,"encrypted_content":"%x"}`, randomBytes(random, 700))
		say("response_item", `{"type":"function_call","name":"shell","arguments":"{\"command\":[\"sed\",\"-n\",\"%d,400p\",\"main.go\"]}","call_id":"call_%d"}`, step, step)
		say("response_item", `{"type":"function_call_output","call_id":"call_%d","output":%q}`, step, output(random, 4000+random.IntN(16_000)))
		say("event_msg", `{"type":"token_count","info":{"total_token_usage":{"input_tokens":%d,"cached_input_tokens":%d,"output_tokens":%d,"total_tokens":%d},`+
			`"last_token_usage":{"input_tokens":1000,"cached_input_tokens":900,"output_tokens":100,"total_tokens":1100}}}`, 1000*(step+1), 900*(step+1), 100*(step+1), 1100*(step+1))
		if step%20 == 19 {
			say("response_item", `{"type":"message","role":"assistant","content":[{"type":"output_text","text":"part %d is done"}]}`, step/20)
		}
	}
	return sizeBytes, lines, w.Flush()
}

func randomBytes(random *rand.Rand, n int) []byte {
	data := make([]byte, n)
	for i := range data {
		data[i] = byte(random.IntN(256)) //nolint:gosec // a byte
	}
	return data
}

// output returns text of about n bytes, as a tool might print.
func output(random *rand.Rand, n int) string {
	var b strings.Builder
	for number := 1; b.Len() < n; number++ {
		fmt.Fprintf(&b, "%d\tfunc handle%d(w io.Writer, n int) error { return step(w, n+%d) }\n", number, random.IntN(5000), random.IntN(1000))
	}
	return b.String()
}
