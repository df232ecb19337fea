package failure

import "strings"

// KeyVariable returns the environment variable that holds the key of a provider: the vendor's own, such as
// OPENAI_API_KEY, or a name of the same form.
func KeyVariable(provider string) string {
	switch provider {
	case "google", "gemini":
		return "GEMINI_API_KEY"
	}
	name := strings.Map(func(r rune) rune {
		if r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' {
			return r
		}
		return '_'
	}, strings.ToUpper(provider))
	return name + "_API_KEY"
}
