package config

import _ "embed" // the schema of a team

//go:embed team.schema.json
var teamSchema string

// TeamSchema returns the JSON schema of a team, for editors.
func TeamSchema() string { return teamSchema }
