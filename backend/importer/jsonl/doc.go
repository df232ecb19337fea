// Package jsonl is what readers of other tools' JSON share: lines of any length one at a time, values exactly as in the
// file, and the few conventions by which importers name and cut what they find.
package jsonl
