// Package spreadsheet writes tables for spreadsheets, as CSV (RFC 4180).
package spreadsheet

import (
	"cmp"
	"strconv"
	"strings"
	"time"
)

// Text returns a text that no spreadsheet interprets as a formula; see https://owasp.org/www-community/attacks/CSV_Injection.
func Text(text string) string {
	if text != "" && strings.ContainsRune("=+-@\t\r", rune(text[0])) {
		return "'" + text
	}
	return text
}

// Number returns a number without separators.
func Number(n int64) string { return strconv.FormatInt(n, 10) }

// Dollars returns a cost in US dollars with all its digits; empty if it is unknown.
func Dollars(nanoUSD *int64) string {
	if nanoUSD == nil {
		return ""
	}
	sign, whole, rest := "", *nanoUSD/1e9, *nanoUSD%1e9
	if *nanoUSD < 0 {
		sign, whole, rest = "-", -whole, -rest
	}
	fraction := strings.TrimRight(strconv.FormatInt(1e9+rest, 10)[1:], "0")
	return sign + strconv.FormatInt(whole, 10) + "." + cmp.Or(fraction, "0")
}

// Time returns a time in UTC, as RFC 3339 with milliseconds; empty if it is unknown.
func Time(ms int64) string {
	if ms == 0 {
		return ""
	}
	return time.UnixMilli(ms).UTC().Format("2006-01-02T15:04:05.000Z")
}
