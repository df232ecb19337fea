package launch

import (
	"context"
	"net/url"
	"slices"
	"strings"

	"coppice/backend/config"
	"coppice/backend/core"
	"coppice/backend/provider"
	"coppice/backend/provider/local"
)

// Confirmation is something that a run does only after the user has agreed to it.
type Confirmation struct {
	Token  string      `json:"token"`  // identifies it in RunRequest.Confirmed
	Text   string      `json:"text"`   // what the run would do, as a sentence
	Action string      `json:"action"` // the verb of the button that confirms
	Remedy core.Remedy `json:"-"`      // the flags to confirm or to avoid it
}

// Confirmations returns what the user has to agree to before a request runs.
func (o *RunEnv) Confirmations(ctx context.Context, request RunRequest, session core.Session) ([]Confirmation, error) {
	former, err := FormerState(ctx, o.DB, session, request.FromUID)
	if err != nil {
		return nil, err
	}
	agent, err := o.ChooseAgent(request, former)
	if err != nil {
		return nil, err
	}
	asked := []Confirmation{}
	add := func(c Confirmation) {
		if c.Token != "" && !slices.Contains(request.Confirmed, c.Token) {
			asked = append(asked, c)
		}
	}
	named, err := o.confirmNamed(ctx, request, session)
	if err != nil {
		return nil, err
	}
	ref, unknown := o.chooseModel(ctx, request, former, agent)
	if named.Token != "" && unknown == nil {
		named.Text += o.destination(request, former, ref)
	}
	add(named)
	add(o.confirmWide(request, former, agent))
	if core.CodeOf(unknown) == core.NotFound { // Open reports it in more detail
		return asked, nil
	}
	if unknown != nil {
		return nil, unknown
	}
	add(o.confirmImported(request, former, ref))
	other, err := o.confirmServer(request, former, ref)
	add(other)
	return asked, err
}

// workThere is the label of the button that confirms a workspace, for all questions about workspaces.
const workThere = "Work in this folder"

// confirmNamed asks about a workspace that only the session names and that no run of the session has used: an imported file
// could name any folder.
func (o *RunEnv) confirmNamed(ctx context.Context, request RunRequest, session core.Session) (Confirmation, error) {
	path := o.Workspace
	if session.ID == "" || session.WorkspacePath == "" || request.Workspace != "" || config.Resolved(path) != config.Resolved(session.WorkspacePath) ||
		config.Resolved(path) == config.Resolved(o.Here) {
		return Confirmation{}, nil
	}
	runs, err := o.DB.Runs(ctx, session.ID)
	if err != nil || slices.ContainsFunc(runs, func(run core.Run) bool { return run.WorkspacePath == path && !run.Imported }) {
		return Confirmation{}, err
	}
	return Confirmation{
		Token: "workspace:" + path, Action: workThere,
		Text:   "the session names the workspace " + path + ", and Coppice has not worked there for it yet",
		Remedy: core.Remedy{Kind: core.NameWorkspace, Args: []string{path}},
	}, nil
}

// destination returns the model and server that a run would send the conversation to, as the end of a sentence.
func (o *RunEnv) destination(request RunRequest, former core.RunState, ref string) string {
	_, server, err := o.chooseServer(request, former, ref)
	if err != nil || server == "" {
		return "; the conversation would go to the model " + ref
	}
	return "; the conversation would go to the model " + ref + " at " + hostOf(server)
}

// confirmWide asks about a workspace that contains the home folder or system files, unless the session has worked there or
// the run only reads.
func (o *RunEnv) confirmWide(request RunRequest, former core.RunState, agent core.Agent) Confirmation {
	mode := agent.Mode
	if request.Mode != "" {
		mode = core.Mode(request.Mode)
	}
	what := wideWorkspace(o.Workspace)
	if what == "" || mode == core.ModePlan || request.Aside || former.WorkspacePath == o.Workspace && !former.Imported {
		return Confirmation{}
	}
	return Confirmation{
		Token: "wide:" + o.Workspace, Action: workThere,
		Text:   "the workspace " + o.Workspace + " " + what + ": the run could change everything in it",
		Remedy: core.Remedy{Kind: core.NameProject, Args: []string{o.Workspace}},
	}
}

// confirmImported asks about a server that only an imported run names, unless it is on this machine: the file could name any server.
func (o *RunEnv) confirmImported(request RunRequest, former core.RunState, ref string) Confirmation {
	baseURL, server, err := o.chooseServer(request, former, ref)
	if err != nil || !former.Imported || request.BaseURL != "" || baseURL == "" || local.IsLoopback(server) {
		return Confirmation{} // Open reports the error
	}
	return Confirmation{
		Token: "server:" + hostOf(server), Action: "Send it to " + hostOf(server),
		Text:   "the imported session names the server " + server + ", and Coppice has not sent it anything yet",
		Remedy: core.Remedy{Kind: core.SetAddress},
	}
}

// confirmServer asks about a server that the user has not chosen and that differs from that of the session's last run.
func (o *RunEnv) confirmServer(request RunRequest, former core.RunState, ref string) (Confirmation, error) {
	_, server, err := o.chooseServer(request, former, ref)
	if err != nil || request.Model != "" || request.BaseURL != "" || former.BaseURL == "" || server == "" || hostOf(server) == hostOf(former.BaseURL) {
		return Confirmation{}, nil // Open reports the error
	}
	return Confirmation{
		Token: "server:" + hostOf(server), Action: "Send it to " + hostOf(server),
		Text:   "the conversation would be sent to " + server + ", but its last run used " + former.BaseURL,
		Remedy: core.Remedy{Kind: core.NameModel, Args: []string{former.Model, ref}},
	}, nil
}

// chooseServer returns the base URL for the model, empty for the provider's default, and the address that results from it. A
// session continues to use its server while its provider stays the same.
func (o *RunEnv) chooseServer(request RunRequest, former core.RunState, ref string) (baseURL, server string, err error) {
	baseURL = request.BaseURL
	if baseURL == "" && former.BaseURL != "" && providerOf(ref) == providerOf(former.Model) {
		if usual, err := o.Registry.Server(ref, ""); err != nil || usual != former.BaseURL {
			baseURL = former.BaseURL
		}
	}
	server, err = o.Registry.Server(ref, baseURL)
	return baseURL, server, err
}

func providerOf(ref string) string {
	name, _, _ := provider.Split(ref) // an invalid reference has no provider
	return name
}

// hostOf returns the scheme, host and port of a URL.
func hostOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return address
	}
	return strings.ToLower(u.Scheme + "://" + u.Host)
}

// Unconfirmed returns the error for a request with confirmations that the user has not given.
func Unconfirmed(asked []Confirmation) error {
	if len(asked) == 0 {
		return nil
	}
	return core.E(core.Unconfirmed, "%s", asked[0].Text).WithRemedy(asked[0].Remedy.Kind, asked[0].Remedy.Args...)
}
