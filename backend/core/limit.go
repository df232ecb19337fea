package core

// Bounds on files and servers that Coppice does not control. Together they keep an import within 2 GB of address space;
// docs/security.md explains them.
const (
	// MaxDepth is the maximum nesting of JSON. Sessions of every known tool stay below 30.
	MaxDepth = 1000
	// MaxValues is the maximum number of values in one line or document. A value of two bytes can become a part of 300.
	MaxValues = 1 << 20
	// MaxValueBytes is the maximum size of one line, message or document, which is held in memory.
	MaxValueBytes = 64 << 20
	// MaxAttachmentBytes is the maximum size of one attachment.
	MaxAttachmentBytes = 64 << 20
	// MaxMessageMediaBytes is the maximum size of all attachments of one message.
	MaxMessageMediaBytes = 128 << 20
	// MaxMessages is the maximum number of messages of one conversation in a document that is read whole.
	MaxMessages = 200_000
	// MaxUnpackedBytes is the maximum unpacked size of a compressed file, or of one entry of a zip.
	MaxUnpackedBytes = 8 << 30
)

// The reasons for which CheckJSON refuses a text.
const (
	JSONInvalid  = "not valid JSON"
	JSONTooDeep  = "nests deeper than 1,000 levels"
	JSONTooDense = "holds more than 1,048,576 values"
)

// CheckJSON returns why a text is not one JSON value within the bounds; empty if it is. It does not recurse: every text
// from outside passes it before it reaches a parser that does.
func CheckJSON(text []byte) (flaw string) {
	c := compacter{value: text, depth: MaxDepth, most: MaxValues, checks: true}
	switch {
	case c.run():
		return ""
	case len(c.open) > MaxDepth:
		return JSONTooDeep
	case c.count > MaxValues:
		return JSONTooDense
	default:
		return JSONInvalid
	}
}
