// Package jsondoc walks through JSON files of any size: exports and sessions that are one object or one array. It finds
// the elements of long lists and holds one of them at a time. A truncated file is read up to its end.
package jsondoc
