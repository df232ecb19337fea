package transport

import (
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// RetryAfter returns how long an answer asks to wait before the next attempt, by retry-after-ms or by Retry-After, in
// seconds or as a date. It is 0 if the answer has no valid value.
func RetryAfter(header http.Header, now time.Time) time.Duration {
	if wait, ok := number(header.Get("Retry-After-Ms"), time.Millisecond); ok {
		return wait
	}
	told := header.Get("Retry-After")
	if wait, ok := number(told, time.Second); ok {
		return wait
	}
	date, err := http.ParseTime(told)
	if err != nil {
		return 0
	}
	return max(date.Sub(now), 0)
}

// number parses a count of units, which may have a fraction.
func number(text string, unit time.Duration) (time.Duration, bool) {
	n, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	if err != nil || math.IsNaN(n) || n < 0 {
		return 0, false
	}
	const longest = 365 * 24 * time.Hour // more would overflow
	return time.Duration(min(n*float64(unit), float64(longest))), true
}
