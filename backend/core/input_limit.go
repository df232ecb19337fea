package core

// Bounds on files and servers that Coppice does not control. Together they keep an import within 2 GB of address space;
// docs/security.md explains them.
const (
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
