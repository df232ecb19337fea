package redact

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// labelled is a line, and the secret in it; empty: it has none.
type labelled struct{ line, secret string }

// maker generates secrets by their format, always the same ones. They are composed here, so that no scanner takes this
// file for a leak.
type maker struct{ random *rand.Rand }

const (
	hexDigits = "0123456789abcdef"
	digits    = "0123456789"
	capitals  = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	alnum     = capitals + "abcdefghijklmnopqrstuvwxyz" + digits
)

func (m maker) of(alphabet string, length int) string {
	out := make([]byte, length)
	for i := range out {
		out[i] = alphabet[m.random.IntN(len(alphabet))]
	}
	return string(out)
}

// keys returns secrets that are recognisable by a vendor's format.
func (m maker) keys() []string {
	hex, any := func(n int) string { return m.of(hexDigits, n) }, func(n int) string { return m.of(alnum, n) }
	return []string{
		"sk-" + "proj-" + any(48), "sk-" + "ant-api03-" + any(80), "sk-" + "or-v1-" + hex(64), "sk-" + "lf-" + hex(8) + "-" + hex(24), "AK" + "IA" + m.of(capitals+"234567", 16), "AS" + "IA" + m.of(capitals+"234567", 16),
		"gh" + "p_" + any(36), "gh" + "o_" + any(36), "gh" + "s_" + any(36), "github" + "_pat_" + any(22) + "_" + any(59), "gl" + "pat-" + any(20), "gl" + "rt-" + any(20),
		"xo" + "xb-" + m.of(digits, 12) + "-" + m.of(digits, 12) + "-" + any(24), "xo" + "xp-" + m.of(digits, 12) + "-" + any(32), "xa" + "pp-1-A" + m.of(alnum, 10) + "-" + hex(32),
		"https://" + "hooks.slack" + ".com/services/T" + m.of(capitals+digits, 8) + "/B" + m.of(capitals+digits, 8) + "/" + any(24),
		"https://" + "discord" + ".com/api/webhooks/" + m.of(digits, 18) + "/" + any(68), "https://acme.webhook." + "office.com/webhookb2/" + hex(36) + "@" + hex(36) + "/IncomingWebhook/" + hex(32),
		"AI" + "za" + any(35), "ya" + "29." + any(60), "GOC" + "SPX-" + any(28), "1/" + "/0" + any(40), "sk" + "_live_" + any(24), "rk" + "_test_" + any(24), "wh" + "sec_" + any(32),
		"np" + "m_" + any(36), "py" + "pi-" + any(80), "ruby" + "gems_" + hex(48), "h" + "f_" + any(34), "S" + "G." + any(22) + "." + any(43), "xkey" + "sib-" + hex(64) + "-" + any(16),
		"ke" + "y-" + hex(32), hex(32) + "-us" + "14", "xa" + "i-" + any(60), "gs" + "k_" + any(52), "pp" + "lx-" + any(48), "r" + "8_" + any(37), "ls" + "v2_pt_" + hex(32) + "_" + hex(10),
		"lin_" + "api_" + any(40), "nt" + "n_" + any(46), "sec" + "ret_" + any(43), "do" + "p_v1_" + hex(64), "da" + "pi" + hex(32), "hv" + "s." + any(90), "ts" + "key-auth-" + any(12) + "-" + any(32),
		"AGE-" + "SECRET-KEY-1" + m.of(capitals+digits, 58), m.of(digits, 10) + ":A" + "A" + any(33), "ey" + "J" + any(30) + ".ey" + "J" + any(60) + "." + any(43), "S" + "K" + hex(32),
		"shp" + "at_" + hex(32), "shp" + "ss_" + hex(32), "sq" + "0csp-" + any(43), "EA" + "AA" + any(60), "dc" + "kr_pat_" + any(27), "AT" + "ATT3x" + any(180), "AT" + "BB" + any(32), "sb" + "p_" + hex(40),
		"dp" + ".pt." + any(43), "psc" + "ale_tkn_" + any(43), "fo" + "1_" + any(43), "fm" + "2_" + any(100), "nf" + "p_" + any(36), "PM" + "AK-" + hex(24) + "-" + hex(34), "NR" + "AK-" + m.of(capitals+digits, 27),
		"fi" + "gd_" + any(40), "gl" + "sa_" + any(32) + "_" + hex(8), "gl" + "c_" + any(60), "HR" + "KU-" + any(58), "snt" + "rys_" + any(80), "pu" + "l-" + hex(40), any(14) + ".atlas" + "v1." + any(64), "CCI" + "PAT_" + any(40),
		any(3) + "8Q" + "~" + any(33), "tv" + "ly-" + any(32), "e2" + "b_" + hex(40), "ph" + "x_" + any(43), "$ap" + "r1$" + any(8) + "$" + any(22), "$2" + "y$10$" + any(53), "{SH" + "A}" + any(27) + "=",
		m.aws(), m.aws(), m.aws(), m.aws(),
	}
}

// aws returns the secret half of an AWS key.
func (m maker) aws() string { return m.of(alnum+"/+", 39) + m.of(capitals, 1) }

// settings returns lines whose secrets are recognisable only by their names.
func (m maker) settings() []labelled {
	var all []labelled
	add := func(format, secret string) {
		all = append(all, labelled{strings.ReplaceAll(format, "@@", secret), secret})
	}
	any, hex := func(n int) string { return m.of(alnum, n-1) + m.of(digits, 1) }, func(n int) string { return m.of(hexDigits, n-1) + "7" }
	for _, format := range []string{
		`SECRET_KEY_BASE="@@"`, `secret_key = "@@"`, `export OPENAI_KEY='@@'`, `API_KEY=@@`, `api_key: @@`, `"apiKey": "@@",`, `apiKey: '@@',`, `{"client_secret":"@@","grant_type":"x"}`, `{\"client_secret\":\"@@\"}`,
		`const token = "@@";`, `token: str = "@@"`, `auth_token => '@@'`, `export GITHUB_TOKEN=@@`, `TWILIO_AUTH_TOKEN=@@`, `dd_api_key: "@@"`, `access_token=@@&expires=1`, `https://x.org/a?token=@@&b=c`, `https://x.org/a?api_key=@@`,
		`curl -H "X-Api-Key: @@" https://x.org`, `Authorization: Bearer @@`, `Authorization: token @@`, `-H 'authorization: @@'`, `curl -u ann:@@ https://x.org`, `curl --user "ann:@@" https://x.org`, `mytool --token @@ run`, `mytool --api-key=@@`,
		`<apiKey>@@</apiKey>`, `<add key="ApiKey" value="@@"/>`, `//registry.example.org/:_authToken=@@`, `client-key-data: @@`, `aws_secret_access_key = @@`, `ENCRYPTION_KEY=@@`, `signing_key: "@@"`, `STRIPE_KEY=@@`, `os.environ["API_TOKEN"] = "@@"`,
		`machine x.org login ann password @@`, `spring.datasource.password=@@`, `  password: "@@"`, `Cookie: session=@@`, `private_key: '@@'`, `NEXTAUTH_SECRET=@@`, `jwt.secret: @@`, `SLACK_PAT=@@`, `headers["x-api-key"] = "@@"`,
	} {
		add(format, any(32))
		add(format, hex(40))
	}
	for _, password := range []string{"zanzibar", "correcthorse", "Tr0ub4dor&3", "hunter2", "p@ssw0rd!"} {
		for _, format := range []string{
			`SMTP_PASS=@@`, `MYSQL_PWD=@@`, `DB_PASSWORD=@@`, `password: @@`, `"password": "@@"`, `{"user":"ann","password":"@@"}`, `passwd = '@@'`, `sshpass -p @@ ssh ann@host`, `docker login -u ann -p @@ registry`, `mysql -u root -p@@ db`, `mytool --password @@`,
			`postgres://ann:@@@db:5432/x`, `redis://:@@@cache:6379`, `<password>@@</password>`,
		} {
			add(format, password)
		}
	}
	add(`passphrase: "@@"`, "correct horse battery staple")
	add(`SSH_PASSPHRASE="@@"`, "purple monkey dishwasher lamp")
	add(`"password": "@@"`, "seven green bottles hanging")
	add("DefaultEndpointsProtocol=https;AccountName=a;AccountKey=@@;EndpointSuffix=core.windows.net", m.of(alnum+"/+", 86)+"==")
	add("Endpoint=sb://a.servicebus.windows.net/;SharedAccessKeyName=Root;SharedAccessKey=@@", m.of(alnum+"/+", 43)+"=")
	add("https://a.blob.core.windows.net/c?sv=2022-11-02&sp=r&sig=@@", m.of(alnum, 40)+"%2B"+m.of(alnum, 3)+"%3D")
	add("db.example.org:5432:app:ann:@@", any(16))
	add("  - name: DB_PASSWORD\n    value: @@", "zanzibar")
	add("the key is wrapped:\n@@\nend", "sk-"+"proj-"+any(60)+"\n"+any(40))
	add("-----BEGIN "+"@@", "PRIVATE KEY-----\n"+any(64)+"\n"+any(64)+"\n-----END PRIVATE KEY-----")
	return all
}

// secrets returns the lines of all kinds; keys are in prose, in code and alone.
func (m maker) secrets() []labelled {
	all := m.settings()
	for i, key := range m.keys() {
		format := []string{"%s", "use %s.", `x := "%s"`, "  - %s,", "see `%s` there", "(%s)"}[i%6]
		all = append(all, labelled{fmt.Sprintf(format, key), key})
	}
	return all
}

// harmless returns lines that look like those with secrets.
func harmless(m maker) []string {
	hex, any := func(n int) string { return m.of(hexDigits, n) }, func(n int) string { return m.of(alnum, n) }
	lines := strings.Split(strings.TrimSpace(harmlessLines), "\n")
	for range 8 {
		uuid := hex(8) + "-" + hex(4) + "-" + hex(4) + "-" + hex(4) + "-" + hex(12)
		lines = append(lines, "commit "+hex(40), "sha256:"+hex(64), `integrity sha512-`+m.of(alnum+"/+", 86)+"==", "id: "+uuid, `"session_id": "`+uuid+`"`, "sessionId="+uuid, `session_id: 2026-01-05-`+uuid, `"sessionUuid": "`+uuid+`"`, "etag: \""+hex(32)+"\"", "index "+hex(7)+".."+hex(7)+" 100644",
			"toolu_"+any(24), "msg_"+any(24), "h1:"+m.of(alnum+"/+", 43)+"=", "data:image/png;base64,"+m.of(alnum+"/+", 80), "chunk-"+any(8)+".js", "trace "+hex(32)+" span "+hex(16))
	}
	return lines
}

const harmlessLines = `
--- PASS: TestFindFirst/non-existent_ID (0.00s)
    --- PASS: TestParseLine_Offset2 (0.00s)
PASS: TestSaveChanges_WhenPartialState
Session ID: test-session-456
session_id = "2025-12-22-already-committed-test"
PRIMARY_KEY=user_id
sk-toggleable-content-class-name
git@github.com:owner/repo.git
Authorization = Optional[str]
process.env.API_KEY1
const key = process.env.OPENAI_API_KEY
api_key = os.environ["API_KEY"]
token := readToken1(x)
password = getPassword()
maxTokens: 4096
max_tokens=8192
secret: ${SECRET}
password: ${{ secrets.DB_PASSWORD }}
token: <your-token>
API_KEY=your_api_key_here
API_KEY=xxxxxxxxxxxx
export TOKEN=$(gh auth token)
password: string
password: string;
token: Token,
secret?: string;
passwordHash: string
def login(user, password=None):
if password == "":
password = password
self.token = token
this.password = password;
return token
type Token struct {
func (t Token) String() string {
"password": "Enter your password"
"label": "Forgot password?"
placeholder="Password"
password: "The password must be long"
The token is a word; keys = none.
primary_key: true
foreign_key: users.id
public_key: ssh-file
key: value
cacheKey: "user-list"
keyboard: qwerty
monkey = "george"
tokenizer: cl100k_base
"inputTokens": 1200
"cacheReadTokens": 48000
output_tokens: 210
token_count=4
tokens: 12,345
Authorization: Bearer <token>
Authorization: Bearer ${TOKEN}
Authorization: Basic auth
Bearer token required
curl -u $USER:$PASS https://x.org
docker run -u 1000:1000 image
docker run -p 8080:80 image
mysql -u root -p
ssh -p 2222 host
mkdir -p some/path/here
go test -run TestToken1
git log --author=ann
--token-file /etc/token
--password-stdin
npm run build --if-present
lodash 4.17.21 @types/node
version = "1.2.3-beta4"
sha256sum file.tar.gz
postgres://localhost:5432/db
http://localhost:3000/path
https://user@example/path
postgres://user:password@localhost/db
https://x.org/a?token=
https://x.org/?key=value&sort=asc
<password></password>
passwords.txt
secrets.yaml
token.go:12:34: undefined: token
auth: true
auth: required
auth = require("./auth")
session_id: str
cookie: Cookie
Cookie: none
Set-Cookie is a header
class="sk-circle sk-child"
aria-keyshortcuts="Control+K"
onKeyDown={handleKey}
event.key === "Enter"
const [token, setToken] = useState("")
api_key: str | None = None
api_key: Optional[str] = Field(default=None)
"api_key": null
"token": true
token = ""
password=***
password: ******
AWS_REGION=eu-central-1
KEY_PREFIX=cache
SORT_KEY=created_at
PARTITION_KEY=tenant_id
SSH_AUTH_SOCK=/tmp/agent.1
credentials: include
credentials: "same-origin"
secretName: my-tls
secretKeyRef:
tokenUrl: /oauth/token
access_token_url = "https://x.org/token"
TOKEN_EXPIRY=3600
PASSWORD_MIN_LENGTH=12
private_key_path: ~/.ssh/id_ed25519
-----BEGIN PUBLIC KEY-----
ssh-ed25519 is a kind of key
github.com/yuin/goldmark v1.8.7
2024-01-02T03:04:05Z
10.0.0.1:8080
`

// TestLabelledSet measures how many secrets are found, and how many harmless lines are unchanged.
func TestLabelledSet(t *testing.T) {
	m := maker{rand.New(rand.NewPCG(11, 4))}
	secrets, lines := m.secrets(), harmless(m)
	if len(secrets) < 200 || len(lines) < 200 {
		t.Fatalf("only %d secrets and %d harmless lines", len(secrets), len(lines))
	}
	r, found, wrong := New(), 0, 0
	for _, one := range secrets {
		if got := r.Text(one.line); strings.Contains(got, one.secret) || !strings.Contains(got, "[redacted") || leaks(got, one.secret) {
			t.Logf("missed: %q became %q", one.line, got)
		} else {
			found++
		}
	}
	for _, line := range lines {
		if got := r.Text(line); got != line {
			wrong++
			t.Logf("wrong: %q became %q", line, got)
		}
	}
	recall, precision := float64(found)/float64(len(secrets)), float64(found)/float64(found+wrong)
	t.Logf("recall %.3f (%d of %d), precision %.3f (%d of %d harmless lines untouched)", recall, found, len(secrets), precision, len(lines)-wrong, len(lines))
	if recall < 0.97 || precision < 0.97 || float64(wrong) > 0.03*float64(len(lines)) {
		t.Errorf("recall %.3f, precision %.3f, %d of %d harmless lines touched", recall, precision, wrong, len(lines))
	}
}

// leaks reports whether a quarter of the secret is left.
func leaks(text, secret string) bool {
	size := max(len(secret)/4, 4)
	for at := 0; at+size <= len(secret); at++ {
		if strings.Contains(text, secret[at:at+size]) && !strings.Contains("[redacted secret 1]", secret[at:at+size]) {
			return true
		}
	}
	return false
}

// BenchmarkText reads code and prose with a line that looks like a setting in every two kilobytes.
func BenchmarkText(b *testing.B) {
	const ordinary = "The function reads the file and returns what it holds, line by line, until the end of it.\n" +
		"\tfor _, part := range parts {\n\t\tif err := write(out, part.Text); err != nil {\n\t\t\treturn nil, fmt.Errorf(\"write part %d: %w\", part.Number, err)\n\t\t}\n\t}\n"
	m := maker{rand.New(rand.NewPCG(1, 2))}
	var text strings.Builder
	for text.Len() < 4<<20 {
		for _, line := range harmless(m) {
			text.WriteString(strings.Repeat(ordinary, 8) + line + "\n")
		}
	}
	r := New()
	b.SetBytes(int64(text.Len()))
	for b.Loop() {
		r.Text(text.String())
	}
}
