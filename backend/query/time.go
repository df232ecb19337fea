package query

import (
	"strconv"
	"strings"
	"time"
)

// parseTime returns the beginning of a day, a month, a year or a time, or of a distance from now.
func parseTime(text string, now time.Time) (time.Time, bool) {
	today := time.Date(now.Year(), now.Month(), now.Day(), 0, 0, 0, 0, now.Location())
	switch strings.ToLower(text) {
	case "now":
		return now, true
	case "today":
		return today, true
	case "yesterday":
		return today.AddDate(0, 0, -1), true
	}
	for _, layout := range []string{"2006-01-02", "2006-01", "2006", "2006-01-02T15:04", "2006-01-02T15:04:05", time.RFC3339} {
		if at, err := time.ParseInLocation(layout, text, now.Location()); err == nil {
			return at, true
		}
	}
	return ago(text, today, now)
}

// ago reads a number and a unit: hours back from now, or days, weeks, months, years back from today.
func ago(text string, today, now time.Time) (time.Time, bool) {
	if text == "" {
		return now, false
	}
	n, err := strconv.Atoi(text[:len(text)-1])
	if err != nil || n < 0 || n > 100_000 {
		return now, false
	}
	switch text[len(text)-1] {
	case 'h':
		return now.Add(-time.Duration(n) * time.Hour), true
	case 'd':
		return today.AddDate(0, 0, -n), true
	case 'w':
		return today.AddDate(0, 0, -7*n), true
	case 'm':
		return today.AddDate(0, -n, 0), true
	case 'y':
		return today.AddDate(-n, 0, 0), true
	default:
		return now, false
	}
}
