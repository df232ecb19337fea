package config

import (
	"math"
	"strconv"
	"strings"
	"time"

	"coppice/backend/core"
)

// Dollars is an amount in billionths of a US dollar, written as a decimal number of dollars.
type Dollars int64

const nanoPerDollar = 1_000_000_000

// UnmarshalText reads 2, 2.50 or .000000001 exactly. Anything else is an Invalid error.
func (d *Dollars) UnmarshalText(text []byte) error {
	whole, fraction, _ := strings.Cut(string(text), ".")
	if whole+fraction == "" || !isDigits(whole) || !isDigits(fraction) {
		return core.E(core.Invalid, "invalid amount %q: want dollars such as 2.50", text)
	}
	if len(fraction) > 9 {
		return core.E(core.Invalid, "%q has more than nine digits after the point", text)
	}
	value, err := strconv.ParseInt("0"+whole+fraction+strings.Repeat("0", 9-len(fraction)), 10, 64)
	if err != nil {
		return core.E(core.Invalid, "%q dollars are too much, at most %d", text, math.MaxInt64/nanoPerDollar)
	}
	*d = Dollars(value)
	return nil
}

// MarshalText writes the amount as UnmarshalText reads it, with two decimals or more.
func (d Dollars) MarshalText() ([]byte, error) {
	fraction := strconv.FormatInt(nanoPerDollar+int64(d)%nanoPerDollar, 10)[1:]
	for len(fraction) > 2 && fraction[len(fraction)-1] == '0' {
		fraction = fraction[:len(fraction)-1]
	}
	return []byte(strconv.FormatInt(int64(d)/nanoPerDollar, 10) + "." + fraction), nil
}

func isDigits(text string) bool { return strings.Trim(text, "0123456789") == "" }

// Duration is a length of time, written as Go writes it: 90s, 30m, 1h30m.
type Duration time.Duration

// UnmarshalText reads a length of time, 0 among them. Anything else is an Invalid error.
func (s *Duration) UnmarshalText(text []byte) error {
	value, err := time.ParseDuration(string(text))
	if err != nil {
		return core.E(core.Invalid, "invalid duration %q: want a time such as 90s or 30m", text)
	}
	if value < 0 {
		return core.E(core.Invalid, "%q is negative", text)
	}
	*s = Duration(value)
	return nil
}

// MarshalText writes it without the zeros at its end.
func (s Duration) MarshalText() ([]byte, error) {
	text := time.Duration(s).String()
	if strings.HasSuffix(text, "m0s") {
		text = strings.TrimSuffix(text, "0s")
	}
	if strings.HasSuffix(text, "h0m") {
		text = strings.TrimSuffix(text, "0m")
	}
	return []byte(text), nil
}

// Milliseconds returns it as a budget counts it, a millisecond at least where it is more than nothing.
func (s Duration) Milliseconds() int64 {
	if s <= 0 {
		return 0
	}
	return max(1, time.Duration(s).Milliseconds())
}
