package price

import (
	"errors"
	"math/big"
	"strings"
)

// maxDollars is more than any provider charges for a million tokens: a higher number is a mistake.
const maxDollars = 1_000_000

// nanoUSD returns the product of times and a decimal number of US dollars in billionths of a dollar, rounded half up.
func nanoUSD(dollars string, times int64) (int64, error) {
	if strings.HasPrefix(dollars, "-") {
		return 0, errors.New("a price must not be negative")
	}
	if len(dollars) > 40 || exponentDigits(dollars) > 2 {
		return 0, errors.New("the number is too long")
	}
	value, ok := new(big.Rat).SetString(dollars)
	if !ok {
		return 0, errors.New("expected a number")
	}
	value.Mul(value, new(big.Rat).SetInt64(times))
	if value.Cmp(new(big.Rat).SetInt64(maxDollars)) > 0 {
		return 0, errors.New("the price is more than a million dollars for a million tokens")
	}
	value.Mul(value, new(big.Rat).SetInt64(1_000_000_000))
	value.Add(value, big.NewRat(1, 2))
	return new(big.Int).Quo(value.Num(), value.Denom()).Int64(), nil
}

// exponentDigits returns the number of digits after e, to reject huge exponents.
func exponentDigits(number string) int {
	_, exponent, _ := strings.Cut(strings.ToLower(number), "e")
	return len(strings.TrimLeft(exponent, "+-"))
}
