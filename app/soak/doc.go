// Package soak is a random-fault test: several processes work on one library while they are killed, their disk is full
// or fails, and their locks are dropped. A journal outside the library holds everything that was acknowledged. After
// each round the library must have all of it.
//
//	make soak SOAK=2h SEED=7
//
// A short run is part of the tests. A seed repeats what each process does, but not how the system schedules the
// processes.
package soak
