package importer

import "cmp"

// compareNatural compares names in natural order: file9 comes before file10.
func compareNatural(a, b string) int {
	i, j := 0, 0
	for i < len(a) && j < len(b) {
		if !isDigit(a[i]) || !isDigit(b[j]) {
			if a[i] != b[j] {
				return cmp.Compare(a[i], b[j])
			}
			i, j = i+1, j+1
			continue
		}
		m, n := digitsEnd(a, i), digitsEnd(b, j)
		if c := compareDigits(a[i:m], b[j:n]); c != 0 {
			return c
		}
		i, j = m, n
	}
	if c := cmp.Compare(len(a)-i, len(b)-j); c != 0 {
		return c
	}
	return cmp.Compare(a, b) // they differ in leading zeros at most
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func digitsEnd(s string, from int) int {
	for from < len(s) && isDigit(s[from]) {
		from++
	}
	return from
}

// compareDigits compares numbers of any length.
func compareDigits(a, b string) int {
	for len(a) > 1 && a[0] == '0' {
		a = a[1:]
	}
	for len(b) > 1 && b[0] == '0' {
		b = b[1:]
	}
	if c := cmp.Compare(len(a), len(b)); c != 0 {
		return c
	}
	return cmp.Compare(a, b)
}
