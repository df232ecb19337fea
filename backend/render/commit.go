package render

import (
	"strings"

	"coppice/backend/core"
	"coppice/backend/lazyregexp"
	"coppice/backend/render/plain"
	"coppice/backend/toolcall"
)

const (
	// maxCommits is how many commits of a turn are returned.
	maxCommits = 20
	// commitReach is how much of the output of a command is searched for the lines that git prints.
	commitReach   = 64 << 10
	subjectLength = 120
)

var (
	committing  = lazyregexp.New(`\bgit\b[^\n;|&]*\bcommit\b`)
	commitLine  = lazyregexp.New(`(?m)^\[[^\]\n]* ([0-9a-f]{7,40})\] (.+)$`)
	quietCommit = lazyregexp.New(`\bcommit\b[^\n;|&]*(?:-q|--quiet)\b[^\n;|&]*-m ?(?:"([^"$` + "`" + `\n]+)|'([^'\n]+))`)
)

// commit adds the commits that a command made. They are read from what git printed, because a command may build its message in many
// ways, and may fail before it commits. A command that commits quietly is known by its message.
func (t *tally) commit(c openCall, result *core.Part) {
	if c.Action != toolcall.Run || len(t.work.Commits) >= maxCommits {
		return
	}
	command := c.Command()
	if !committing.MatchString(command) {
		return
	}
	found := committed(resultText(result, commitReach))
	if quiet := quietSubject(command); len(found) == 0 && quiet != "" {
		found = []Commit{{Subject: quiet}}
	}
	for i := range found {
		found[i].Subject = plain.Line(t.r.plain.Text(found[i].Subject), subjectLength)
	}
	t.work.Commits = append(t.work.Commits, found[:min(len(found), maxCommits-len(t.work.Commits))]...)
}

// committed returns the commits in the output of git commit: a line such as "[main 4f2c1ab] One owner for ids" for each.
func committed(output string) []Commit {
	var found []Commit
	for _, line := range commitLine.FindAllStringSubmatch(output, maxCommits) {
		found = append(found, Commit{Hash: line[1], Subject: strings.TrimSpace(line[2])})
	}
	return found
}

// quietSubject returns the message on the command line of a quiet commit; empty if it is not quiet, or not there as plain text.
func quietSubject(command string) string {
	match := quietCommit.FindStringSubmatch(command)
	if match == nil {
		return ""
	}
	return strings.TrimSpace(match[1] + match[2])
}
