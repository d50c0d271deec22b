# Sluice: make run, make build, make test, make lint. Each does all of its own set-up on a machine with Go, Node and make.
GO      ?= go
VERSION ?= $(shell git describe --tags --always --dirty 2>/dev/null || echo dev)
ADDR    ?= 127.0.0.1:8080
DATA    ?= ./data
PACKS   ?= examples/ship-lock,examples/lock-quality
# One set of flags for vet, tests and the program, so that each package is compiled once and the cache serves every checkout.
export CGO_ENABLED ?= 0
export GOFLAGS ?= -trimpath "-ldflags=-s -w"
# Databases of tests lie in memory where the machine has room for them: nothing of them outlives a run.
IN_MEMORY := $(shell [ -w /dev/shm ] && [ "$$(df -k --output=avail /dev/shm | tail -n 1)" -gt 6000000 ] && echo TMPDIR=/dev/shm)
UI_SRC  := $(shell find ui plugins -name node_modules -prune -o -path ui/dist -prune -o \( -name '*.ts' -o -name '*.tsx' -o -name '*.css' -o -name '*.html' -o -name '*.mjs' \) -print) package-lock.json

.PHONY: run build ui generate lint lint-go lint-ui test test-go test-ui test-e2e test-tools bite bench clean help

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

test: ## every test, with the time of each part
	@.ci/part --start
	@.ci/part tools $(MAKE) --no-print-directory test-tools
	@.ci/part install $(MAKE) --no-print-directory node_modules/.installed
	@$(MAKE) --no-print-directory -j2 --output-sync part-lint-ui part-build # tsc and vite use one core each
	@$(MAKE) --no-print-directory -j2 --output-sync without-browser part-test-e2e # a journey waits for its browser half of its time
	@.ci/part --summary

.PHONY: without-browser
without-browser: # after the build: vite empties the folder that ui/embed.go embeds
	@.ci/part lint-go $(MAKE) --no-print-directory lint-go
	@.ci/part test-go $(MAKE) --no-print-directory test-go
	@.ci/part test-ui $(MAKE) --no-print-directory test-ui

part-%:
	@.ci/part $* $(MAKE) --no-print-directory $*

test-tools: ## install what the tests use from the system's packages, or say what is left out
	@.ci/tools

test-go: # lint has run vet; a package that waits for its database leaves its core to others; a fifth of a test's time was the collector's
	$(IN_MEMORY) GOGC=400 .ci/with-postgres $(GO) test -vet=off -timeout 25m -p 4 ./...
	$(IN_MEMORY) $(GO) -C examples/survey test -vet=off ./... # a module of its own, as packs outside this repository are

test-ui: node_modules/.installed
	npm test

test-e2e: build
	npm run size
	$(IN_MEMORY) .ci/with-postgres npm run e2e

bite: node_modules/.installed ## break lines of what differs from BASE and say which no test sees
	@bitten=0; $(IN_MEMORY) GOGC=400 .ci/with-postgres $(GO) run ./internal/mutation -changed $(BASE) || bitten=$$?; \
	$(IN_MEMORY) node ui/testing/mutation/mutate.mjs -changed $(BASE) || bitten=$$?; exit $$bitten

bench: build ## figures as ratios within one run (see bench/README.md)
	$(GO) run ./bench $(BENCH)

clean: ## remove what was built
	rm -rf bin ui/dist/assets ui/dist/index.html* node_modules
