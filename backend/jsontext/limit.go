package jsontext

// Bounds on JSON that Coppice does not control; docs/security.md explains them.
const (
	// MaxDepth is the maximum nesting of JSON. Sessions of every known tool stay below 30.
	MaxDepth = 1000
	// MaxValues is the maximum number of values in one line or document. A value of two bytes can become a part of 300.
	MaxValues = 1 << 20
)

// The reasons for which Check refuses a text.
const (
	Invalid  = "not valid JSON"
	TooDeep  = "nests deeper than 1,000 levels"
	TooDense = "holds more than 1,048,576 values"
)
