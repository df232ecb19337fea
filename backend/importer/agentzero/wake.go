package agentzero

import (
	"github.com/tidwall/gjson"

	"coppice/backend/core"
	"coppice/backend/importer/jsonl"
)

// maxWakes is how many conditions of a file are read. AgentZero writes three at most.
const maxWakes = 100

// wakes returns the conditions of a checkpoint: "CliResume", {"Timer": {"at": …}} and {"GatewayMessage": {"gateway": …}}. Others, and
// timers without a time, stay in the record of the checkpoint only.
func wakes(triggers gjson.Result) []core.Wake {
	var all []core.Wake
	if !triggers.IsArray() {
		return nil
	}
	triggers.ForEach(func(_, trigger gjson.Result) bool {
		timer, gateway := trigger.Get("Timer.at"), trigger.Get("GatewayMessage.gateway")
		switch {
		case trigger.Type == gjson.String && trigger.String() == "CliResume":
			all = append(all, core.Wake{Kind: core.WakeManual})
		case timer.Exists() && jsonl.Millis(timer) > 0:
			all = append(all, core.Wake{Kind: core.WakeTime, AtMs: jsonl.Millis(timer)})
		case gateway.Exists():
			all = append(all, core.Wake{Kind: core.WakeMessage, Detail: core.Cut(jsonl.Text(gateway), 100)})
		}
		return len(all) < maxWakes
	})
	return all
}
