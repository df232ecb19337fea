// Package config reads the configuration: the user's file, the workspace's, the agents of both, and whether the
// workspace is trusted. Settings is the result; nothing of an untrusted workspace is in it.
package config

import (
	"errors"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/adrg/xdg"

	"coppice/backend/core"
	"coppice/backend/engine"
	"coppice/backend/lazyregexp"
	"coppice/backend/provider/endpoint"
	"coppice/backend/tools/mcp"
)

// Config is what a user has set, in their own file and in that of the workspace. Zero values are not set.
type Config struct {
	Model             string               `yaml:"model"` // PROVIDER/MODEL
	Agent             string               `yaml:"agent"`
	Mode              core.Mode            `yaml:"mode"`
	Effort            core.Effort          `yaml:"effort"`
	Budget            Dollars              `yaml:"budget"`
	MaxSteps          int64                `yaml:"max_steps"`
	MaxTokens         int64                `yaml:"max_tokens"`
	Timeout           Duration             `yaml:"timeout"`      // of a run
	IdleTimeout       Duration             `yaml:"idle_timeout"` // after how long a silent server of a model counts as dead
	Compaction        Compaction           `yaml:"compaction"`
	Tools             Tools                `yaml:"tools"`
	Providers         map[string]Provider  `yaml:"providers"`
	MCP               map[string]MCPServer `yaml:"mcp"`
	Sessions          Sessions             `yaml:"sessions"`
	Library           Library              `yaml:"library"`
	Pricing           string               `yaml:"pricing"` // a file; ~ is the home folder
	LocalServers      bool                 `yaml:"local_servers"`
	TrustedWorkspaces []string             `yaml:"trusted_workspaces"`
}

// Tools holds the settings of the tools that a model may call.
type Tools struct {
	Network bool     `yaml:"network"` // commands may use it
	Timeout Duration `yaml:"timeout"` // of a command
	Sandbox string   `yaml:"sandbox"` // auto or off
}

// Provider describes a provider that the user has added: a server and the protocol it speaks.
type Provider struct {
	Protocol endpoint.Protocol `yaml:"protocol"`
	BaseURL  string            `yaml:"base_url"`
	KeyEnv   string            `yaml:"key_env"`
	Headers  map[string]string `yaml:"headers"`
	Extra    map[string]any    `yaml:"extra"`
}

// MCPServer describes an MCP server: a command to start, or a URL.
type MCPServer struct {
	Command  string            `yaml:"command"`
	Args     []string          `yaml:"args"`
	Env      map[string]string `yaml:"env"`
	Cwd      string            `yaml:"cwd"` // where the command starts; empty: a folder outside every workspace
	URL      string            `yaml:"url"`
	Headers  map[string]string `yaml:"headers"`
	Timeout  Duration          `yaml:"timeout"` // of a call
	Disabled bool              `yaml:"disabled"`
}

// Sessions holds the settings of how sessions are stored.
type Sessions struct {
	AutoSave         bool  `yaml:"auto_save"`
	CleanupAfterDays int64 `yaml:"cleanup_after_days"`
}

// Library holds the settings of new libraries.
type Library struct {
	Encrypt bool `yaml:"encrypt"`
}

// defaultCommandTimeout is how long a command may take that names no time itself.
const defaultCommandTimeout = 2 * time.Minute

// The values of tools.sandbox.
const (
	SandboxAuto = "auto"
	SandboxOff  = "off"
)

// Default returns the configuration of a user who has set nothing.
func Default() Config {
	return Config{
		Agent:        engine.DefaultAgent,
		Mode:         core.ModeConfirmSensitive,
		Tools:        Tools{Network: true, Sandbox: SandboxAuto, Timeout: Duration(defaultCommandTimeout)},
		Sessions:     Sessions{AutoSave: true, CleanupAfterDays: DefaultCleanupDays},
		LocalServers: true,
	}
}

// WorkspaceFolder holds a workspace's own configuration.
const WorkspaceFolder = ".coppice"

// Folder returns the folder of the user's configuration.
func Folder() string { return filepath.Join(xdg.ConfigHome, "coppice") }

// Path returns the path of the user's file.
func Path() string { return filepath.Join(Folder(), "config.yaml") }

// The names of the two files, as they are shown.
const (
	userFile      = "config.yaml"
	WorkspaceFile = WorkspaceFolder + "/config.yaml"
)

// readUserFile returns the bytes of a file; none if it does not exist, or if one of its folders is a file.
func readUserFile(path string) ([]byte, error) {
	file, err := core.OpenRegular(path)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
		return nil, nil
	}
	if err != nil {
		return nil, core.Wrap(core.Invalid, err, "read the configuration")
	}
	return readAll(file)
}

// readWorkspaceFile is readUserFile for a file of a workspace. It follows no link out of the workspace.
func readWorkspaceFile(workspace, name string) ([]byte, error) {
	root, err := openWorkspace(workspace)
	if err != nil {
		return nil, err
	}
	defer func() { _ = root.Close() }()
	file, err := core.OpenRegularIn(root, name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, core.Wrap(core.Invalid, err, "read the configuration of the workspace")
	}
	return readAll(file)
}

func readAll(file *os.File) ([]byte, error) {
	defer func() { _ = file.Close() }()
	data, err := io.ReadAll(io.LimitReader(file, maxFileBytes+1))
	return data, core.Wrap(core.Invalid, err, "read the configuration")
}

var (
	// VariableForm matches the name of an environment variable.
	VariableForm = lazyregexp.New(`^[A-Za-z_][A-Za-z0-9_]*$`)
	// ProviderForm matches the name of a provider.
	ProviderForm = lazyregexp.New(`^[a-z0-9]+([_-][a-z0-9]+)*$`)
)

// checks returns a check for each key whose values are restricted, for the configuration and for agents.
func checks() map[string]func(string) error {
	return map[string]func(string) error{
		"model":                       CheckModelRef,
		"mode":                        oneOf(core.Modes()...),
		"effort":                      oneOf(core.EffortNone, core.EffortLow, core.EffortMedium, core.EffortHigh),
		"compaction.strategy":         oneOf(core.CompactionStrategies()...),
		"compaction.model":            CheckModelRef,
		"tools.sandbox":               oneOf(SandboxAuto, SandboxOff),
		"providers.* name":            checkForm(ProviderForm, "a provider's name has small letters, digits, - and _"),
		"providers.*.protocol":        oneOf(protocols()...),
		"providers.*.base_url":        checkURL,
		"providers.*.key_env":         checkForm(VariableForm, "the name of a variable such as MY_API_KEY, not the key"),
		"mcp.* name":                  mcp.CheckName,
		"mcp.*.url":                   checkURL,
		"mcp.*.env.* name":            checkForm(VariableForm, "the name of a variable such as MY_TOKEN"),
		"sessions.cleanup_after_days": checkCleanupDays,
	}
}

func protocols() []endpoint.Protocol {
	return []endpoint.Protocol{
		endpoint.OpenAIChat, endpoint.OpenAIResponses, endpoint.AnthropicMessages, endpoint.GoogleGenAI, endpoint.OllamaChat,
	}
}

func oneOf[T ~string](values ...T) func(string) error {
	return func(value string) error {
		if slices.Contains(values, T(value)) {
			return nil
		}
		names := make([]string, len(values))
		for i, v := range values {
			names[i] = string(v)
		}
		return core.E(core.Invalid, "unknown value %q", value).WithHint("one of: %s", strings.Join(names, ", "))
	}
}

func checkForm(form *lazyregexp.Regexp, hint string) func(string) error {
	return func(value string) error {
		if form.MatchString(value) {
			return nil
		}
		return core.E(core.Invalid, "%q is not such a name", value).WithHint("%s", hint)
	}
}

// CheckModelRef returns an Invalid error unless ref has the form PROVIDER/MODEL. It does not look for the model.
func CheckModelRef(ref string) error {
	provider, model, _ := strings.Cut(ref, "/")
	if provider == "" || model == "" {
		return core.E(core.Invalid, "%q is not PROVIDER/MODEL", ref).WithHint("a name such as openai/gpt-5.5")
	}
	return nil
}

func checkURL(address string) error {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || (u.Scheme != "http" && u.Scheme != "https") {
		return core.E(core.Invalid, "invalid address %q: want http:// or https://", address)
	}
	return nil
}

func checkCleanupDays(days string) error {
	number, _ := strconv.ParseInt(days, 10, 64) // 0 if it is not a number
	if number < 1 || number > 365 {
		return core.E(core.Invalid, "%q is not between 1 and 365", days)
	}
	return nil
}
