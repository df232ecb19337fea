# What a person does here. Each target installs what it needs, as root or with sudo; where that is
# not possible it says what is missing. Go and Node must be there.

GO       ?= go
BIN      := build/bin
TAGS     := desktop,production,webkit2_41
DEV_TAGS := dev,webkit2_41
LINT     := .cache/bin/golangci-lint
ACTIONLINT := .cache/bin/actionlint
DIST     := frontend/dist/index.html
MODULES  := frontend/node_modules/.package-lock.json
SERVERS  := backend/tools/mcp/testdata/servers
FRONTEND := $(shell find frontend/src frontend/public frontend/index.html frontend/package.json frontend/vite.config.ts frontend/tsconfig.json -type f 2>/dev/null)

# Debian's names: to build the window, and to test it.
BUILD_PACKAGES := ca-certificates gcc libc6-dev pkg-config libwebkit2gtk-4.1-dev
TEST_PACKAGES  := xvfb xauth chromium xdotool imagemagick dbus-daemon

.DEFAULT_GOAL := build
.PHONY: run display build cli dev frontend test test-go test-frontend e2e bench eval fuzz busy race soak cross lint bindings screenshot prices licences icon setup-build setup-test clean

# Builds Coppice and opens its window.
run: display build
	$(BIN)/coppice

# Says that there is nothing to open a window on before it takes minutes to build one.
display:
	@if [ "$$(uname)" = Linux ] && [ -z "$$DISPLAY$$WAYLAND_DISPLAY" ]; then \
		echo "There is no display to open a window on." >&2; \
		echo "Unseen, for a test:  xvfb-run -a make run    (apt-get install xvfb xauth)" >&2; \
		echo "Without a window:    make cli && $(BIN)/coppice --help" >&2; \
		exit 1; \
	fi

# The program with its window.
build: setup-build frontend
	$(GO) build -trimpath -ldflags "-s -w" -tags $(TAGS) -o $(BIN)/coppice .

# The command line alone: no C compiler, no WebKit, no Node.
cli:
	CGO_ENABLED=0 $(GO) build -trimpath -ldflags "-s -w" -o $(BIN)/coppice .

frontend: $(DIST)

$(DIST): $(MODULES) $(FRONTEND)
	cd frontend && npm run build

$(MODULES): frontend/package-lock.json
	cd frontend && npm ci --no-audit --no-fund
	@touch $@

# The window with the interface reloading as it is edited.
dev: setup-build $(MODULES)
	cd frontend && { npx vite --port 5173 --strictPort & vite=$$!; cd ..; trap "kill $$vite" EXIT; \
		frontenddevserverurl=http://127.0.0.1:5173 devserver=127.0.0.1:34115 $(GO) run -tags $(DEV_TAGS) .; }

test: test-go test-frontend e2e

# How many packages are tested at once: one more than processors, because many tests wait for a process or a file.
PACKAGES = $(shell expr $$(getconf _NPROCESSORS_ONLN || echo 2) + 1)

test-go: $(SERVERS)/node_modules/.package-lock.json
	@mkdir -p frontend/dist && touch frontend/dist/.gitkeep
	@mkdir -p .cache && rm -f .cache/left-out
	COPPICE_LEFT_OUT=$(CURDIR)/.cache/left-out CGO_ENABLED=0 $(GO) test -timeout 30m -p $(PACKAGES) ./...
	@[ ! -s .cache/left-out ] || echo "$$(sort -u .cache/left-out | wc -l) tests ran without the sample sessions, which the repository does not contain, on generated ones only"

# The public MCP servers that the client is tested against.
$(SERVERS)/node_modules/.package-lock.json: $(SERVERS)/package-lock.json
	cd $(SERVERS) && npm ci --no-audit --no-fund
	@touch $@

test-frontend: $(MODULES)
	cd frontend && npm test

# The real program: the bindings in a browser, the window in WebKit, the command line beside them.
e2e: setup-test build
	$(GO) build -tags $(DEV_TAGS) -o $(BIN)/coppice-dev .
	cd frontend && node e2e/suite.mjs

# One table of ratios; see app/bench. Where the window cannot be built its rows are skipped. With 1.7 GB of sessions instead of 350 MB: make bench BENCH_LARGE=1
bench: export BENCH_LARGE ?=
bench:
	-@$(MAKE) --no-print-directory setup-test build && $(GO) build -tags $(DEV_TAGS) -o $(BIN)/coppice-dev .
	CGO_ENABLED=0 $(GO) run ./app/bench

# Twenty small coding tasks with checks, solved by scripts or a model; see docs/evaluation.md: make eval MODEL=anthropic/claude-sonnet-4-5 TASK=fix-failing-test N=3
N    ?= 1
JOBS ?= 1
eval:
	CGO_ENABLED=0 $(GO) build -trimpath -o $(BIN)/coppice-eval .
	CGO_ENABLED=0 $(GO) run ./app/eval -program $(BIN)/coppice-eval -n $(N) -jobs $(JOBS) $(if $(MODEL),-model $(MODEL)) $(if $(BASE_URL),-base-url $(BASE_URL)) $(if $(TASK),-task $(TASK)) $(if $(OUT),-out $(OUT)) $(FLAGS)

# Each fuzz target for a while: make fuzz FUZZTIME=10m. Making what it finds small is cut short: it took most of that while, a minute for each find.
FUZZTIME ?= 30s
fuzz:
	@CGO_ENABLED=0 $(GO) list ./... | while read -r package; do \
		$(GO) test -list '^Fuzz' $$package | grep '^Fuzz' | while read -r target; do \
			echo "$$package $$target"; \
			CGO_ENABLED=0 $(GO) test -run '^$$' -fuzz "^$$target\$$" -fuzztime $(FUZZTIME) -fuzzminimizetime 10x $$package || exit 1; \
		done || exit 1; \
	done

# The whole suite, three times in a row and never from Go's cache, while a busy loop occupies each processor: tests wait for states, not for time.
BUSY ?= 3
busy: setup-test
	GOFLAGS=-count=1 build/busy.sh $(BUSY) $(MAKE) --no-print-directory test

# The race detector on the packages with goroutines of their own, without the tests that start hundreds of processes. It needs a C compiler.
race: setup-build
	CGO_ENABLED=1 $(GO) test -race -short -timeout 30m ./backend/engine ./backend/importer ./backend/launch ./backend/provider/... ./backend/render/... ./backend/tools/mcp ./backend/sqlite/internal/... ./app/window/...

# Several processes on one library while they are killed, their disks fail and their locks are dropped: make soak SOAK=2h SEED=7
SOAK ?= 10m
SEED ?= 1
soak: setup-test build
	CGO_ENABLED=0 $(GO) test ./app/soak -run TestSoak -count 1 -timeout 0 -v -args -soak $(SOAK) -seed $(SEED) -program $(CURDIR)/$(BIN)/coppice

# Vets the command line for Windows and macOS. The first time takes minutes: all of it is compiled for both.
cross:
	GOOS=windows CGO_ENABLED=0 $(GO) vet ./...
	GOOS=darwin CGO_ENABLED=0 $(GO) vet ./...

# Linters, the house style of the prose, and whether generated files are up to date.
lint: $(LINT) $(ACTIONLINT) $(MODULES) bindings
	CGO_ENABLED=0 $(LINT) run --allow-parallel-runners --build-tags bindings ./...
	$(GO) mod tidy -diff
	CGO_ENABLED=0 $(GO) run ./build/prose
	git diff --exit-code -- frontend/src/wailsjs
	cd frontend && npm run lint
	$(ACTIONLINT) .github/workflows/*.yml

$(ACTIONLINT):
	GOBIN=$(CURDIR)/.cache/bin $(GO) install github.com/rhysd/actionlint/cmd/actionlint@v1.7.12

$(LINT):
	GOBIN=$(CURDIR)/.cache/bin $(GO) install github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v2.5.0

# Writes frontend/src/wailsjs from app/window/bindings*.go.
bindings:
	@mkdir -p frontend/dist && touch frontend/dist/.gitkeep
	tsoutputtype=interfaces CGO_ENABLED=0 $(GO) run -tags bindings . >/dev/null
	@chmod 644 frontend/src/wailsjs/go/*.ts frontend/src/wailsjs/go/*/* frontend/src/wailsjs/runtime/*

# Pictures of the real window with the sample library, for the README.
screenshot: setup-test build
	@build/packages.sh fonts-noto-core fonts-noto-cjk
	build/screenshot.sh

# Lists the packages of others and their licences, for the settings.
licences:
	node build/licences.mjs

# Makes the embedded price table anew, from the data of @pydantic/genai-prices.
prices:
	node backend/provider/price/generate/generate.mjs

# Draws build/icon.svg in every size.
icon:
	build/icon.sh

setup-build:
	@build/packages.sh $(BUILD_PACKAGES)

setup-test: setup-build
	@build/packages.sh $(TEST_PACKAGES)

clean:
	rm -rf $(BIN) build/artifacts frontend/dist/assets frontend/dist/index.html
