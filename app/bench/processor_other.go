//go:build !unix

package main

import "time"

// processorTime is not available on this system. It returns 0, and no row depends on it.
func processorTime() time.Duration { return 0 }
