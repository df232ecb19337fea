package team

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"

	"coppice/backend/core"
)

// Evidence is what a gate is checked against besides the turn.
type Evidence struct {
	Read   func(name string) ([]byte, error) // a file of the workspace
	Wrote  []string                          // the files that the session has changed
	Passed []string                          // the commands of the session that succeeded
}

// Gates read these fields of a brief.
const (
	criteriaField = "acceptance_criteria"
	filesField    = "files_to_change"
)

// assertions are the regular expressions of assertions in test files.
func assertions() []string {
	return []string{`tester::assert`, `if .+ throw`, `\bassert`, `\bexpect\b`}
}

// NeedsEvidence reports whether Check decides a gate.
func NeedsEvidence(gate *core.TeamGate) bool {
	return gate.Exists != "" || gate.WroteListed != "" || gate.PassedListed != "" || gate.Report != "" || gate.Judged != "" || gate.Session
}

// Check returns why a turn does not pass a gate that needs evidence; empty if it does.
func Check(gate *core.TeamGate, turn *Turn, e *Evidence) (why string) {
	switch {
	case gate.Session:
		why, _ = failure(core.TeamGate{Wrote: gate.Wrote, OrPassed: gate.OrPassed, Passed: gate.Passed}, &Turn{Wrote: e.Wrote, Passed: e.Passed})
		return strings.Replace(why, "in this turn", "in this session", 1)
	case gate.Exists != "":
		return checkFile(gate.Exists, gate.Fields, e)
	case gate.WroteListed != "":
		return checkWritten(gate, turn, e)
	case gate.PassedListed != "":
		return checkPassed(gate, turn, e)
	case gate.Report != "":
		return checkReport(gate, turn, e)
	}
	return checkVerdicts(gate, turn, e)
}

// readFile reads a file of the workspace that must not be empty.
func readFile(name string, e *Evidence) (data []byte, why string) {
	data, err := e.Read(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, "the file " + name + " does not exist"
	case err != nil:
		return nil, "the file " + name + " cannot be read: " + err.Error()
	case strings.TrimSpace(string(data)) == "":
		return nil, "the file " + name + " is empty"
	}
	return data, ""
}

func readObject(name string, e *Evidence) (object map[string]any, why string) {
	data, why := readFile(name, e)
	if why != "" {
		return nil, why
	}
	if err := json.Unmarshal(data, &object); err != nil {
		return nil, "the file " + name + " has no JSON object: " + err.Error()
	}
	return object, ""
}

// checkFile returns why a file does not exist, or does not have fields that are not empty.
func checkFile(name string, fields []string, e *Evidence) (why string) {
	if len(fields) == 0 {
		_, why = readFile(name, e)
		return why
	}
	object, why := readObject(name, e)
	for _, field := range fields {
		if value, exists := fieldOf(object, field); why == "" && (!exists || slices.Contains([]string{"", "[]", "{}"}, value)) {
			why = "the field " + field + " of " + name + " is missing or empty"
		}
	}
	return why
}

// listIn returns the texts of a field: a text, or a list of texts and of objects with a path, criterion or command.
func listIn(object map[string]any, names string) (texts []string) {
	value, exists := fieldOf(object, names)
	if !exists {
		return nil
	}
	var list []json.RawMessage
	if json.Unmarshal([]byte(value), &list) != nil {
		return slices.DeleteFunc([]string{value}, func(text string) bool { return strings.TrimSpace(text) == "" })
	}
	for _, one := range list {
		var text string
		var item struct{ Path, Criterion, Command string }
		switch {
		case json.Unmarshal(one, &text) == nil:
		case json.Unmarshal(one, &item) == nil && item.Path+item.Criterion+item.Command != "":
			text = item.Path + item.Criterion + item.Command
		default:
			text = string(one)
		}
		texts = append(texts, text)
	}
	return texts
}

// checkWritten returns which of the listed files were not changed in the session.
func checkWritten(gate *core.TeamGate, turn *Turn, e *Evidence) (why string) {
	object, why := readObject(gate.WroteListed, e)
	if why != "" {
		return why
	}
	var missing []string
	for _, field := range gate.Fields {
		for _, file := range listIn(object, field) {
			if !slices.ContainsFunc(slices.Concat(turn.Wrote, e.Wrote), func(wrote string) bool { return isFile(file, wrote) }) {
				missing = append(missing, file)
			}
		}
	}
	if len(missing) == 0 {
		return ""
	}
	return fmt.Sprintf("these files of %s were not written in this session: %s. Change them, or remove them from the list", gate.WroteListed, strings.Join(missing, ", "))
}

// isFile reports whether two paths name the same file: one may be the end of the other.
func isFile(a, b string) bool {
	a, b = strings.ToLower(path.Clean(strings.ReplaceAll(a, `\`, "/"))), strings.ToLower(path.Clean(strings.ReplaceAll(b, `\`, "/")))
	return a == b || path.IsAbs(a) && strings.HasSuffix(a, "/"+b) || path.IsAbs(b) && strings.HasSuffix(b, "/"+a)
}

// checkPassed returns for which of the fields no command succeeded in the session.
func checkPassed(gate *core.TeamGate, turn *Turn, e *Evidence) (why string) {
	object, why := readObject(gate.PassedListed, e)
	for _, field := range gate.Fields {
		if why != "" {
			return why
		}
		texts := listIn(object, field)
		if len(texts) == 0 {
			return "the field " + field + " of " + gate.PassedListed + " is missing or empty"
		}
		why = Check(&core.TeamGate{Session: true, Passed: strings.Join(texts, "|")}, turn, e)
	}
	return why
}

// testResult is an entry of a report of tests.
type testResult struct{ Criterion, Status, Command string }

// testReport is a report of tests.
type testReport struct {
	Results       []testResult
	FakeTestFiles []string `json:"fake_test_files"`
}

// checkReport returns what is wrong with a report of tests.
func checkReport(gate *core.TeamGate, turn *Turn, e *Evidence) (why string) {
	data, why := readFile(gate.Report, e)
	if why != "" {
		return why
	}
	var report testReport
	if err := json.Unmarshal(data, &report); err != nil {
		return "the file " + gate.Report + " is no report of tests: " + err.Error()
	}
	if len(report.Results) == 0 {
		return "the file " + gate.Report + " has no results"
	}
	var brief map[string]any
	if gate.Brief != "" {
		brief, _ = readObject(gate.Brief, e) // without a brief nothing is compared with it
	}
	for _, check := range core.TeamChecks() {
		if len(gate.Checks) > 0 && !slices.Contains(gate.Checks, check) {
			continue
		}
		switch check {
		case core.CheckFailures:
			why = failedTests(gate, &report)
		case core.CheckCommands:
			why = unrunTests(gate, &report, slices.Concat(turn.Passed, e.Passed))
		case core.CheckAssertions:
			why = fakeTests(gate, &report, brief, e)
		case core.CheckCriteria:
			why = uncovered(gate.Report, len(report.Results), gate.Brief, brief)
		}
		if why != "" {
			return why
		}
	}
	return ""
}

func failedTests(gate *core.TeamGate, report *testReport) string {
	for _, r := range report.Results {
		if strings.EqualFold(r.Status, "FAIL") {
			return "the report " + gate.Report + " has a result that is FAIL: " + r.Criterion
		}
	}
	return ""
}

// unrunTests returns the first result that no command of the session proves.
func unrunTests(gate *core.TeamGate, report *testReport, passed []string) string {
	for _, r := range report.Results {
		if !strings.EqualFold(r.Status, "PASS") {
			continue
		}
		command := strings.ToLower(strings.TrimSpace(r.Command))
		if command == "" {
			return "a result of " + gate.Report + " is PASS without a command: " + r.Criterion
		}
		ran := func(line string) bool {
			line = strings.ToLower(strings.TrimSpace(line))
			return line != "" && (strings.Contains(line, command) || strings.Contains(command, line))
		}
		if !slices.ContainsFunc(passed, ran) {
			return "a command of " + gate.Report + " has not succeeded in this session: " + r.Command
		}
	}
	return ""
}

// fakeTests returns the first test file without an assertion: one that the report names, or a file of the brief with test in its path.
func fakeTests(gate *core.TeamGate, report *testReport, brief map[string]any, e *Evidence) string {
	if len(report.FakeTestFiles) > 0 {
		return "the report " + gate.Report + " names tests without assertions: " + strings.Join(report.FakeTestFiles, ", ")
	}
	patterns := gate.Assertions
	if len(patterns) == 0 {
		patterns = assertions()
	}
	for _, file := range listIn(brief, filesField) {
		if !strings.Contains(strings.ToLower(file), "test") {
			continue
		}
		data, why := readFile(file, e)
		if why != "" {
			return why
		}
		if !slices.ContainsFunc(patterns, func(p string) bool { found, err := regexp.Match(p, data); return err == nil && found }) {
			return "the test file " + file + " has no assertion"
		}
	}
	return ""
}

// uncovered returns that there are fewer entries than acceptance criteria.
func uncovered(of string, entries int, name string, brief map[string]any) string {
	if want := len(listIn(brief, criteriaField)); entries < want {
		return fmt.Sprintf("%s has %d entries, and %s lists %d acceptance criteria: give one for each", of, entries, name, want)
	}
	return ""
}

// checkVerdicts returns why an answer does not judge each criterion, with evidence and a command that succeeded.
func checkVerdicts(gate *core.TeamGate, turn *Turn, e *Evidence) (why string) {
	object, _ := jsonIn(turn.Text)
	list, _ := fieldOf(object, gate.Judged)
	var verdicts []struct{ Criterion, Verdict, Evidence string }
	if json.Unmarshal([]byte(list), &verdicts) != nil || len(verdicts) == 0 {
		return fmt.Sprintf(`the answer judges nothing: add a JSON object {%q: [{"criterion": …, "verdict": "PASS" or "FAIL", "evidence": …}]}`, gate.Judged)
	}
	for _, v := range verdicts {
		switch {
		case strings.TrimSpace(v.Criterion) == "" || strings.TrimSpace(v.Evidence) == "" || !strings.EqualFold(v.Verdict, "PASS") && !strings.EqualFold(v.Verdict, "FAIL"):
			return "an entry of " + gate.Judged + " needs a criterion, evidence, and the verdict PASS or FAIL"
		case strings.EqualFold(v.Verdict, "FAIL"):
			return "a verdict of " + gate.Judged + " is FAIL: " + v.Criterion
		}
	}
	if gate.Brief != "" {
		brief, why := readObject(gate.Brief, e)
		if why != "" {
			return why
		}
		if why := uncovered(gate.Judged, len(verdicts), gate.Brief, brief); why != "" {
			return why
		}
	}
	if len(turn.Passed) == 0 {
		return "a verdict is PASS, but no command has succeeded in this turn: run one that proves it"
	}
	return ""
}
