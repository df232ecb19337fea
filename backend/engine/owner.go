package engine

import (
	"os"

	"coppice/backend/core"
)

// Self describes this process as an owner of runs.
func Self() core.Owner {
	host, err := os.Hostname()
	if err != nil {
		host = "" // all machines without a name then count as one
	}
	pid := os.Getpid()
	return core.Owner{PID: int64(pid), Started: started(pid), Host: host}
}

// alive reports whether an owner's process still runs. One on another machine counts as alive, because this machine
// cannot check it.
func (e *Engine) alive(o core.Owner) bool {
	if o.Host != e.Owner.Host {
		return true
	}
	now := started(int(o.PID))
	return now != "" && (o.Started == "" || o.Started == now)
}
