// Package soak is the random-fault run: several processes work on one library while they are killed, their disk is full or fails, and their
// locks are dropped. A journal outside the library holds everything that was acknowledged; after each round all of it must be there.
//
//	make soak SOAK=2h SEED=7
//
// A short run is part of the tests. A seed repeats what each process does, not when the system lets it.
package soak
