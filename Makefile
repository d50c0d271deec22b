# Sluice: make run, make build, make test, make lint. Each does all of its own set-up on a machine with Go, Node and make.
GO      ?= go
VERSION ?= $(shell git describe --tags --always --dirty 2>/dev/null || echo dev)
ADDR    ?= 127.0.0.1:8080
DATA    ?= ./data
PACKS   ?= examples/ship-lock,examples/lock-quality
# One set of flags for vet, tests and the program, so that each package is compiled once and the cache serves every checkout.
export CGO_ENABLED ?= 0
export GOFLAGS ?= -trimpath "-ldflags=-s -w"
# Databases of tests lie in memory where the machine has room for them: nothing of them outlives a run. What is free does not count: Go keys
# cached results of tests on TMPDIR.
IN_MEMORY := $(shell [ -w /dev/shm ] && [ "$$(df -k --output=size /dev/shm | tail -n 1)" -gt 6000000 ] && echo TMPDIR=/dev/shm)
UI_SRC  := $(shell find ui plugins -name node_modules -prune -o -path ui/dist -prune -o \( -name '*.ts' -o -name '*.tsx' -o -name '*.css' -o -name '*.html' -o -name '*.mjs' \) -print) package-lock.json

.PHONY: run build ui generate lint lint-go lint-ui test test-all test-go test-ui test-e2e test-tools bite bench clean help
.PHONY: go-everywhere go-zones go-race ui-zones e2e-all e2e-slow

help: ## this list
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

run: build ## build everything and serve the example on http://localhost:8080
	bin/sluice serve --addr $(ADDR) --data $(DATA) --packs $(PACKS) --name "Sluice"

build: ui/dist/index.html ## leave bin/sluice
	$(GO) build -ldflags "-s -w -X main.version=$(VERSION)" -o bin/sluice ./cmd/sluice

ui: ui/dist/index.html ## build the application

node_modules/.installed: package.json package-lock.json
	npm ci --no-audit --no-fund >/dev/null 2>&1 || npm install --no-save --no-audit --no-fund # a mirror without the packages of other platforms refuses ci
	@touch $@

ui/dist/index.html: node_modules/.installed $(UI_SRC) schemas/api.yaml
	npm run build

generate: node_modules/.installed ## write generated files (plugin list, error codes, API types)
	$(GO) run ./cmd/plugingen
	$(GO) run ./internal/tools/faultgen
	npm run generate

lint: lint-go lint-ui ## gofmt, vet, import fences, biome, tsc

lint-go:
	@out=$$(gofmt -l cmd engine examples internal plugins runtime schemas ui bench 2>/dev/null); if [ -n "$$out" ]; then echo "not gofmt'ed: $$out"; exit 1; fi
	$(GO) vet ./...
	GOWORK=off $(GO) -C examples/survey list -deps ./... >/dev/null # its go.mod names all that it needs; below, go.work shares what is built
	$(GO) -C examples/survey vet ./...
	$(GO) test ./internal/fences/

lint-ui: node_modules/.installed
	npm run lint

test: ## what a change has to pass, with the time of each part: what Go has cached is not run again, journeys are those of the change
	@.ci/part --start
	@.ci/part tools $(MAKE) --no-print-directory test-tools
	@.ci/part install $(MAKE) --no-print-directory node_modules/.installed
	@$(MAKE) --no-print-directory -j2 --output-sync part-lint-ui part-build # tsc and vite use one core each
	@.ci/part lint-go $(MAKE) --no-print-directory lint-go
	@.ci/part test-go $(MAKE) --no-print-directory test-go
	@.ci/part test-ui $(MAKE) --no-print-directory test-ui
	@.ci/part test-e2e $(MAKE) --no-print-directory test-e2e
	@node .ci/growth.mjs

test-all: ## every test in every look and zone, on both databases, slowed, raced and shuffled, and draws of broken lines: hours
	@.ci/part --start
	@.ci/part tools $(MAKE) --no-print-directory test-tools
	@.ci/part install $(MAKE) --no-print-directory node_modules/.installed
	@$(MAKE) --no-print-directory -j2 --output-sync part-lint-ui part-build
	@.ci/part lint-go $(MAKE) --no-print-directory lint-go
	@for part in $(ALL_PARTS); do .ci/part $$part $(MAKE) --no-print-directory $$part || echo $$part >>.cache/test-times/.red; done
	@node .ci/growth.mjs --judge || echo growth >>.cache/test-times/.red
	@if [ -f .cache/test-times/.red ]; then echo "RED: $$(tr '\n' ' ' <.cache/test-times/.red)"; exit 1; fi

# One that is red does not keep the others from running.
ALL_PARTS := go-everywhere go-zones go-race test-ui ui-zones e2e-all e2e-slow bite

part-%:
	@.ci/part $* $(MAKE) --no-print-directory $*

test-tools: ## install what the tests use from the system's packages, or say what is left out
	@.ci/tools

# lint has run vet; a fifth of a test's time was the collector's. PostgreSQL is asked where SQL and several writers matter.
GO_TEST = $(IN_MEMORY) GOGC=400 .ci/with-postgres .ci/red.mjs $(GO) test -vet=off -timeout 25m

test-go: # no package takes a third of that, and one that hangs is told sooner
	$(GO_TEST) -timeout 12m -p 2 ./...
	$(IN_MEMORY) $(GO) -C examples/survey test -vet=off ./... # a module of its own, as packs outside this repository are

test-ui: node_modules/.installed
	npm test
	npm run test-runner

test-e2e: build
	npm run size
	$(IN_MEMORY) .ci/with-postgres npm run e2e

go-everywhere: export SLUICE_TEST_EVERYWHERE = 1
go-everywhere:
	$(GO_TEST) -p 1 -shuffle=on -exec "$(CURDIR)/.ci/go-costs" ./...
	$(IN_MEMORY) $(GO) -C examples/survey test -vet=off ./...

# West of Greenwich with half an hour, and the first to begin a day.
ZONES := America/St_Johns Pacific/Apia

go-zones: # cached results of Go do not depend on TZ
	@bad=0; for zone in $(ZONES); do echo "TZ=$$zone"; TZ=$$zone $(GO_TEST) -count=1 -p 2 ./... || bad=1; done; exit $$bad

go-race: export CGO_ENABLED = 1
go-race:
	$(GO_TEST) -p 2 -race ./runtime/store/... ./runtime/record ./runtime/workflow ./runtime/job

ui-zones: node_modules/.installed
	@bad=0; for zone in $(ZONES); do echo "TZ=$$zone"; TZ=$$zone npm test || bad=1; done; exit $$bad

e2e-all: export EVERY = 1
e2e-all: build
	npm run size
	$(IN_MEMORY) .ci/with-postgres npm run e2e all

e2e-slow: export SLOW = 4
e2e-slow: build
	$(IN_MEMORY) .ci/with-postgres npm run e2e all

bite: node_modules/.installed ## break lines of what differs from BASE and say which no test sees
	@bitten=0; $(IN_MEMORY) GOGC=400 .ci/with-postgres $(GO) run ./internal/mutation -changed $(BASE) || bitten=$$?; \
	$(IN_MEMORY) node ui/testing/mutation/mutate.mjs -changed $(BASE) || bitten=$$?; \
	echo "a broken line for each row of the register of names (runtime/codes): 48 rows, up to an hour"; began=$$(date +%s); \
	$(IN_MEMORY) GOGC=400 $(GO) test -timeout 120m ./runtime/codes -run TestBrokenLines -broken || bitten=$$?; \
	echo "rows of the register: $$((($$(date +%s) - began) / 60)) minutes"; exit $$bitten

bench: build ## figures as ratios within one run (see bench/README.md)
	$(GO) run ./bench $(BENCH)

clean: ## remove what was built
	rm -rf bin ui/dist/assets ui/dist/index.html* node_modules
