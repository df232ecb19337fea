package sandbox

import "golang.org/x/sys/unix"

// descendants returns the processes below pid. It cannot find one whose parent has ended, because this system has no
// subreapers.
func descendants(pid int) []int {
	processes, err := unix.SysctlKinfoProcSlice("kern.proc.all")
	if err != nil {
		return nil
	}
	parents := map[int]int{}
	for _, p := range processes {
		parents[int(p.Proc.P_pid)] = int(p.Eproc.Ppid)
	}
	return family(pid, parents)
}
