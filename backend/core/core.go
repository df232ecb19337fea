// Package core holds Coppice's domain: sessions, messages, the tree they form, and the pure functions over them. It
// imports the standard library only and does no I/O except for opening files safely; every other package of the backend
// imports it, and it imports none of them.
package core
