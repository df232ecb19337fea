// Package filelocktest looks at the locks that processes hold on the files of a library, and takes them away on
// purpose. It is for tests on Linux.
package filelocktest
