# decant: every task is a target. `make` lists them.
SHELL       := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
export CGO_ENABLED := 0

VERSION  ?= $(shell git describe --tags --always --dirty 2>/dev/null || echo dev)
LDFLAGS  := -s -w -X decant/handler/internal/app.version=$(VERSION)
GOOS     ?= $(shell go env GOOS)
GOARCH   ?= $(shell go env GOARCH)
BIN      := dist/decant
LINT     := .bin/golangci-lint
LINT_VERSION := v2.15.0
SOURCES  := $(shell find handler -name '*.go' -not -name '*_test.go') go.mod go.sum

.PHONY: help build run start test lint fmt bench bench-quality chaos fuzz golden package deploy clean

help: ## list the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-14s %s\n", $$1, $$2}'

build: $(BIN) ## build dist/decant, one static file

# Built anew when the last build was for another system.
TARGET := .cache/built-for-$(GOOS)-$(GOARCH)
$(TARGET):
	@mkdir -p .cache && rm -f .cache/built-for-* && touch $@

$(BIN): $(SOURCES) $(TARGET)
	@mkdir -p dist
	GOOS=$(GOOS) GOARCH=$(GOARCH) go build -trimpath -ldflags '$(LDFLAGS)' -o $@ ./handler

run: build ## convert every file in samples/ on the embedded store; only new or changed files are converted
	@$(BIN) convert samples --out out || { code=$$?; [ $$code -eq 3 ] && echo "Some samples are meant to fail: the broken and the encrypted one show how failure looks." || exit $$code; }

start: build tools/emulators/node_modules ## start emulators, host and watcher; submit files with dist/decant submit
	@$(BIN) package --dist dist
	@$(BIN) local

tools/emulators/node_modules: tools/emulators/package-lock.json
	npm ci --prefix tools/emulators --no-audit --no-fund
	@touch $@

tools/bicep/node_modules: tools/bicep/package-lock.json
	npm ci --prefix tools/bicep --no-audit --no-fund
	@touch $@

test: build tools/emulators/node_modules tools/bicep/node_modules ## every test: units, golden documents, emulators, end to end
	go test -timeout 30m ./...

lint: $(LINT) ## gofmt, vet, golangci-lint with the import map
	@out=$$(gofmt -l handler); [ -z "$$out" ] || { echo "gofmt: $$out"; exit 1; }
	go vet ./...
	$(LINT) run ./...

$(LINT):
	@mkdir -p .bin
	GOBIN=$(CURDIR)/.bin go install github.com/golangci/golangci-lint/v2/cmd/golangci-lint@$(LINT_VERSION)

fmt: ## format the code
	gofmt -w handler

bench: build ## child start, pages a second, chunker, ledger, the largest documents; figures, no verdicts. LARGE=1: a table of a gigabyte too
	go test -run '^$$' -bench . -benchtime 1s -timeout 1h ./handler/...
	$(if $(LARGE),go test -run '^$$' -bench LargeDocuments -benchtime 1x -timeout 3h ./handler/internal/app -large)
	go test -C tests/bench/xlsx -bench . -benchtime 3x

bench-quality: build ## quality against the measured peers, where the data is
	go run ./handler/quality

golden: ## rewrite the expected results in tests/corpus and the generated tables; read the diff before you commit
	go test ./handler/internal/convert -run TestCorpus -update
	go test ./handler/internal/app -run TestGeneratedTables -update
	go test ./handler/internal/infratest -run TestParameterTable -update

chaos: tools/emulators/node_modules ## 500 documents, a fifth of them hostile, while children and handler are killed; CHAOS=documents SEED=seed
	go test ./handler/internal/app -run '^TestChaos$$' -count 1 -v -timeout 4m -chaos $${CHAOS:-500} -seed $${SEED:-0}

fuzz: ## every fuzz target for FUZZTIME (default 30s)
	@for pkg in $$(grep -rl --include='*_test.go' 'func Fuzz' handler | xargs -n1 dirname | sort -u); do \
	  for target in $$(grep -rhoE 'func Fuzz[A-Za-z0-9_]*' $$pkg/*_test.go | sed 's/func //'); do \
	    go test ./$$pkg -run '^$$' -fuzz "^$$target\$$" -fuzztime $${FUZZTIME:-30s} -fuzzminimizetime 30x || exit 1; \
	  done; \
	done

package: build tools/bicep/node_modules ## check that host.json, functions, settings and Bicep agree, then lay out and zip dist/
	@env -u GOOS -u GOARCH go test ./handler/internal/infratest
	@if [ "$(GOOS)/$(GOARCH)" = "$$(env -u GOOS -u GOARCH go env GOOS)/$$(env -u GOOS -u GOARCH go env GOARCH)" ]; then $(BIN) package --dist dist; \
	else env -u GOOS -u GOARCH go run ./handler package --dist dist; fi

deploy: ## what-if, deploy, publish, smoke test: make deploy RG=<resource group> [PARAMS='name=value ...']
	@[ -n "$(RG)" ] || { echo "name the resource group: make deploy RG=<resource group>"; exit 2; }
	@$(MAKE) package GOOS=linux GOARCH=amd64
	@infra/deploy.sh $(RG) $(PARAMS)

clean: ## remove what was built and what the emulators kept
	rm -rf dist dist.zip out .data .cache .bin
