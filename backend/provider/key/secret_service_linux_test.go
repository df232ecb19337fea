package key_test

import (
	"bufio"
	"maps"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/godbus/dbus/v5"

	"coppice/backend/core"
)

const (
	secretsName   = "org.freedesktop.secrets"
	secretsRoot   = "/org/freedesktop/secrets"
	secretsLogin  = secretsRoot + "/collection/login"
	secretsPrefix = "org.freedesktop.Secret."
)

// secret is a secret as it crosses D-Bus.
type secret struct {
	Session     dbus.ObjectPath
	Parameters  []byte
	Value       []byte
	ContentType string
}

// fakeSecrets implements the part of the Secret Service that a keyring needs: one collection, without a password.
type fakeSecrets struct {
	conn  *dbus.Conn
	mutex sync.Mutex
	items map[dbus.ObjectPath]*fakeItem
	made  int
}

type fakeItem struct {
	service    *fakeSecrets
	path       dbus.ObjectPath
	attributes map[string]string
	value      []byte
}

func (s *fakeSecrets) OpenSession(string, dbus.Variant) (dbus.Variant, dbus.ObjectPath, *dbus.Error) {
	return dbus.MakeVariant(""), secretsRoot + "/session/1", nil
}

// Close ends a session.
func (s *fakeSecrets) Close() *dbus.Error { return nil }

func (s *fakeSecrets) Unlock(paths []dbus.ObjectPath) ([]dbus.ObjectPath, dbus.ObjectPath, *dbus.Error) {
	return paths, "/", nil
}

// Get returns the only property that is asked for: the collections.
func (s *fakeSecrets) Get(string, string) (dbus.Variant, *dbus.Error) {
	return dbus.MakeVariant([]dbus.ObjectPath{secretsLogin}), nil
}

func (s *fakeSecrets) SearchItems(wanted map[string]string) ([]dbus.ObjectPath, *dbus.Error) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	found := []dbus.ObjectPath{}
	for path, item := range s.items {
		if item.has(wanted) {
			found = append(found, path)
		}
	}
	return found, nil
}

func (i *fakeItem) has(wanted map[string]string) bool {
	for name, value := range wanted {
		if i.attributes[name] != value {
			return false
		}
	}
	return true
}

func (s *fakeSecrets) CreateItem(properties map[string]dbus.Variant, given secret, _ bool) (dbus.ObjectPath, dbus.ObjectPath, *dbus.Error) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	attributes, _ := properties[secretsPrefix+"Item.Attributes"].Value().(map[string]string)
	for path, item := range s.items {
		if maps.Equal(item.attributes, attributes) {
			item.value = given.Value
			return path, "/", nil
		}
	}
	s.made++
	item := &fakeItem{s, dbus.ObjectPath(secretsLogin + "/" + strconv.Itoa(s.made)), attributes, given.Value}
	s.items[item.path] = item
	if err := s.conn.Export(item, item.path, secretsPrefix+"Item"); err != nil {
		return "/", "/", dbus.MakeFailedError(err)
	}
	return item.path, "/", nil
}

func (i *fakeItem) GetSecret(session dbus.ObjectPath) (secret, *dbus.Error) {
	return secret{session, []byte{}, i.value, "text/plain"}, nil
}

func (i *fakeItem) Delete() (dbus.ObjectPath, *dbus.Error) {
	i.service.mutex.Lock()
	defer i.service.mutex.Unlock()
	delete(i.service.items, i.path)
	return "/", nil
}

// privateBus starts a session bus of its own and returns its address.
func privateBus(t *testing.T) string {
	t.Helper()
	program, err := exec.LookPath("dbus-daemon")
	if err != nil {
		t.Skip("dbus-daemon is not installed")
	}
	daemon := exec.CommandContext(t.Context(), program, "--session", "--nofork", "--nosyslog", "--print-address=1")
	out, err := daemon.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := daemon.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = daemon.Process.Kill(); _ = daemon.Wait() })
	address, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(address)
}

// serveSecrets puts a fake Secret Service on a bus.
func serveSecrets(t *testing.T, address string) *fakeSecrets {
	t.Helper()
	conn, err := dbus.Connect(address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	s := &fakeSecrets{conn: conn, items: map[dbus.ObjectPath]*fakeItem{}}
	for _, export := range []struct{ path, name string }{
		{secretsRoot, secretsPrefix + "Service"},
		{secretsRoot, "org.freedesktop.DBus.Properties"},
		{secretsLogin, secretsPrefix + "Collection"},
		{secretsRoot + "/session/1", secretsPrefix + "Session"},
	} {
		if err := conn.Export(s, dbus.ObjectPath(export.path), export.name); err != nil {
			t.Fatal(err)
		}
	}
	if reply, err := conn.RequestName(secretsName, dbus.NameFlagDoNotQueue); err != nil || reply != dbus.RequestNameReplyPrimaryOwner {
		t.Fatalf("own %s: %v, %v", secretsName, reply, err)
	}
	return s
}

// inProcess runs a test of this package in a process of its own on a bus, as the keyring library keeps its connection, and
// the mock of the other tests cannot be removed.
func inProcess(t *testing.T, name, address string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^"+name+"$", "-test.v")
	cmd.Env = append(os.Environ(), "DBUS_SESSION_BUS_ADDRESS="+address, "COPPICE_KEY_TEST="+name)
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "--- PASS: "+name) {
		t.Fatalf("%v\n%s", err, out)
	}
}

func TestSecretService(t *testing.T) {
	if os.Getenv("COPPICE_KEY_TEST") != t.Name() {
		address := privateBus(t)
		secrets := serveSecrets(t, address)
		inProcess(t, t.Name(), address)
		if len(secrets.items) != 1 {
			t.Fatalf("%d items are left", len(secrets.items))
		}
		for _, item := range secrets.items {
			if string(item.value) != "sk-two" || item.attributes["service"] != "coppice" || item.attributes["username"] != "openai" {
				t.Errorf("the item is %s %v", item.value, item.attributes)
			}
		}
		return
	}
	r := ring(nil)
	if err := r.Check(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, stored := range []struct{ provider, key string }{{"anthropic", "sk-other"}, {"openai", "sk-one"}, {"openai", " sk-two "}} {
		if err := r.Set(stored.provider, stored.key); err != nil {
			t.Fatal(err)
		}
	}
	if got, from, err := r.Find(t.Context(), "openai"); got != "sk-two" || from != "keyring" || err != nil {
		t.Errorf("got %q from %q, %v", got, from, err)
	}
	if err := r.Delete("anthropic"); err != nil {
		t.Error(err)
	}
	if _, _, err := r.Find(t.Context(), "anthropic"); core.CodeOf(err) != core.Auth || remedyOf(err) != "set_key anthropic" {
		t.Errorf("got %v", err)
	}
}

// TestBusWithoutSecretService requires that a desktop without a keyring is reported, and that a key can be held in memory.
func TestBusWithoutSecretService(t *testing.T) {
	if os.Getenv("COPPICE_KEY_TEST") != t.Name() {
		inProcess(t, t.Name(), privateBus(t))
		return
	}
	r := ring(nil)
	if err := r.Check(t.Context()); core.CodeOf(err) != core.Unavailable {
		t.Errorf("got %v", err)
	}
	if err := r.Set("openai", "sk-one"); core.CodeOf(err) != core.Unavailable || strings.Contains(err.Error(), "sk-one") {
		t.Errorf("got %v", err)
	}
	if err := r.Hold("openai", "sk-one"); err != nil {
		t.Fatal(err)
	}
	if got, from, err := r.Find(t.Context(), "openai"); got != "sk-one" || from != "memory" || err != nil {
		t.Errorf("got %q from %q, %v", got, from, err)
	}
	if err := r.Delete("openai"); err != nil {
		t.Error(err)
	}
}
