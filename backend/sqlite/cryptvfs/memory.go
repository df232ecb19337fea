package cryptvfs

import "unsafe"

// at returns what is at an address of SQLite's memory, which the garbage collector neither moves nor frees.
func at[T any](address uintptr) *T { return *(**T)(unsafe.Pointer(&address)) }

// bytesAt returns n bytes of SQLite's memory.
func bytesAt(address uintptr, n int32) []byte { return unsafe.Slice(at[byte](address), n) }

// function returns the function that SQLite knows by a pointer.
func function[F any](pointer uintptr) F {
	target := struct{ uintptr }{pointer}
	return *(*F)(unsafe.Pointer(&target))
}

// pointer returns what SQLite knows a function by. f must be a declared function.
func pointer[F any](f F) uintptr { return *(*uintptr)(unsafe.Pointer(&f)) }

// sizeOf returns the size of a type of SQLite.
func sizeOf[T any]() uintptr {
	var zero T
	return unsafe.Sizeof(zero)
}

// addressOf returns the address of the first byte of memory that was not allocated by Go.
func addressOf(data []byte) uintptr { return uintptr(unsafe.Pointer(unsafe.SliceData(data))) }
