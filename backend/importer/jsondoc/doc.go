// Package jsondoc walks through JSON files of any size: exports and sessions that are one object or one array. It
// finds where the elements of long lists stand and holds one of them at a time. A file that breaks
// off is read up to there.
package jsondoc
