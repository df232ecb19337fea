package otlp

import (
	"strconv"
)

// The kinds of spans and the codes of their status that occur here; see opentelemetry/proto/trace/v1/trace.proto.
const (
	kindInternal = 1
	kindClient   = 3
	statusError  = 2
)

type scope struct {
	Name    string `json:"name"`
	Version string `json:"version,omitempty"`
}

type resource struct {
	Attributes attributes `json:"attributes"`
}

// span is a Span of the protocol. Ids are lower-case hexadecimal: 32 digits of a trace, 16 of a span.
type span struct {
	TraceID           string     `json:"traceId"`
	SpanID            string     `json:"spanId"`
	ParentSpanID      string     `json:"parentSpanId,omitempty"`
	Name              string     `json:"name"`
	Kind              int        `json:"kind"`
	StartTimeUnixNano string     `json:"startTimeUnixNano"`
	EndTimeUnixNano   string     `json:"endTimeUnixNano"`
	Attributes        attributes `json:"attributes"`
	Links             []spanLink `json:"links,omitempty"`
	Status            *status    `json:"status,omitempty"`
}

// spanLink refers to the span of the turn that a turn continues.
type spanLink struct {
	TraceID string `json:"traceId"`
	SpanID  string `json:"spanId"`
}

type status struct {
	Code    int    `json:"code"`
	Message string `json:"message,omitempty"`
}

// attributes are the attributes of a span. Empty texts and zeros are left out.
type attributes []attribute

type attribute struct {
	Key   string `json:"key"`
	Value value  `json:"value"`
}

// value has one field set. The protocol writes 64-bit integers as strings.
type value struct {
	String string `json:"stringValue,omitempty"`
	Int    string `json:"intValue,omitempty"`
	Bool   bool   `json:"boolValue,omitempty"`
	Array  *array `json:"arrayValue,omitempty"`
}

type array struct {
	Values []value `json:"values"`
}

func (a attributes) text(key, text string) attributes {
	if text == "" {
		return a
	}
	return append(a, attribute{key, value{String: text}})
}

func (a attributes) number(key string, n int64) attributes {
	if n == 0 {
		return a
	}
	return append(a, attribute{key, value{Int: strconv.FormatInt(n, 10)}})
}

func (a attributes) flag(key string, set bool) attributes {
	if !set {
		return a
	}
	return append(a, attribute{key, value{Bool: true}})
}

func (a attributes) list(key, text string) attributes {
	if text == "" {
		return a
	}
	return append(a, attribute{key, value{Array: &array{[]value{{String: text}}}}})
}
