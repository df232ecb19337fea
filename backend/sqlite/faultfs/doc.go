// Package faultfs simulates a disk with faults for tests. It wraps the system calls of SQLite: it counts the system calls that change
// files below one folder, lets chosen ones fail, and keeps what was written since the last fsync, from which it makes the files that a power
// loss would leave. No program code imports it.
//
// It works on Linux. SQLite's table of system calls belongs to the process, so one disk can be installed at a time.
package faultfs
