//go:build !linux

package mcp

func isZombie(int) bool { return false }
