package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"

	"coppice/backend/render/redact"
)

// measureRedact compares looking for secrets in a text with reading its bytes one by one. The text is code and prose, with a line that
// looks like a setting or a key in every two kilobytes.
func measureRedact(ctx context.Context, p plan, _ string) ([]row, error) {
	text := ordinaryText(p.size(16 << 20))
	redactor := redact.New()
	changed, lines := false, 0
	scan := &sample{run: func() error {
		changed = redactor.Text(text) != text
		return nil
	}}
	reading := &sample{run: func() error {
		lines = 0
		for i := range len(text) {
			if text[i] == '\n' {
				lines++
			}
		}
		return nil
	}}
	if err := alternate(ctx, 15, scan, reading); err != nil {
		return nil, err
	}
	megabytes := float64(len(text)) / 1e6
	r := compare(fmt.Sprintf("look for secrets in %.0f MB", megabytes), scan, fmt.Sprintf("reading each byte of %d lines:", lines), reading, maxRedactRatio)
	r.figure = fmt.Sprintf("%.0f MB/s (%s)", megabytes/scan.median().Seconds(), r.figure)
	if spent := reading.medianProcessor(); spent > 0 { // other programs do not count
		r.ratio = float64(scan.medianProcessor()) / float64(spent)
	}
	if r.failed = changed; changed {
		r.figure = "a text without secrets was changed"
	}
	return []row{r}, nil
}

// maxRedactRatio is 57 MB/s where a byte is read in 0.7 ns.
const maxRedactRatio = 25

// ordinaryText returns code and prose without secrets, of at least so many bytes.
func ordinaryText(size int) string {
	const ordinary = "The function reads the file and returns what it holds, line by line, until the end of it.\n" +
		"\tfor _, part := range parts {\n\t\tif err := write(out, part.Text); err != nil {\n\t\t\treturn nil, fmt.Errorf(\"write part %d: %w\", part.Number, err)\n\t\t}\n\t}\n"
	random := rand.New(rand.NewPCG(1, 2)) //nolint:gosec // the same text in each run
	hex := func(n int) string {
		var b strings.Builder
		for range n {
			b.WriteByte("0123456789abcdef"[random.IntN(16)])
		}
		return b.String()
	}
	lookAlikes := []func() string{
		func() string { return "commit " + hex(40) },
		func() string { return "sha256:" + hex(64) },
		func() string {
			return `"session_id": "` + hex(8) + "-" + hex(4) + "-" + hex(4) + "-" + hex(4) + "-" + hex(12) + `"`
		},
		func() string { return `token := os.Getenv("API_TOKEN")` },
		func() string { return "password: ${DB_PASSWORD}" },
		func() string { return "max_tokens = 4096" },
	}
	var text strings.Builder
	for i := 0; text.Len() < size; i++ {
		text.WriteString(strings.Repeat(ordinary, 8) + lookAlikes[i%len(lookAlikes)]() + "\n")
	}
	return text.String()
}
