# make run opens the bundled gallery; make test runs the tests. Both install what is missing.

SHELL := /bin/bash
SWIFT ?= swift
SWIFT_MINIMUM := $(shell sed -n '1s/.*: //p' Package.swift)
PREFIX ?= /usr/local
ARGS ?=
FILTER ?=
KILLS ?= 1000
BUILD := .build
# The Swift standard library is linked statically, so that only the C libraries are needed at run time.
RELEASE := -c release --static-swift-stdlib
BINARY = $(BUILD)/release/halftone
# Packagers build in their own way, and name the program in BINARY.
NEEDS_BUILD := $(if $(filter file,$(origin BINARY)),build)
# What install puts below share, as file below Resources:path below share.
SHARED := Manual/halftone.1:man/man1/halftone.1 \
	Completions/halftone.bash:bash-completion/completions/halftone \
	Completions/_halftone:zsh/site-functions/_halftone \
	Completions/halftone.fish:fish/vendor_completions.d/halftone.fish \
	Desktop/halftone.desktop:applications/halftone.desktop \
	Desktop/halftone.svg:icons/hicolor/scalable/apps/halftone.svg \
	Desktop/io.github.halftone.halftone.metainfo.xml:metainfo/io.github.halftone.halftone.metainfo.xml
SHARE = $(DESTDIR)$(PREFIX)/share/halftone
# Packages are to stay small: install has two of the gallery's pages, with the middle one of each picture's three sizes.
SMALLER := -e '/page-[34]\.html/d' \
	-e 's/href="photos[^"]*"(><img class="lazy" src="[^"]*" data-src=("[^"]*")) data-srcset="[^"]*" sizes="[^"]*" width="[0-9]*" height="[0-9]*"/href=\2\1/'

# Debian packages for building, testing and comparing.
APT_BUILD := pkg-config libncurses-dev libunibilium-dev libcurl4-openssl-dev libssl-dev libxml2-dev libarchive-dev libpcre2-dev libjpeg62-turbo-dev libpng-dev libwebp-dev libgif-dev liblcms2-dev libseccomp-dev libsqlite3-dev
# Further formats, built in if their libraries are installed: TIFF, AVIF, JPEG XL, HEIC, video, BMP and what else FFmpeg
# reads; and SVG and PDF, whose libraries are only loaded for such files.
APT_OPTIONAL := libtiff-dev libavif-dev libjxl-dev libheif-dev libavformat-dev libavcodec-dev libswscale-dev librsvg2-2 libpoppler-glib8 poppler-data
APT_TEST := tmux jq git python3-matplotlib python3-pyte python3-pyftpdlib openssh-server nghttp2-server openssl ncurses-base ncurses-term zsh fish fzf lf ranger file vifm nnn
# A browser and libraries of page scripts, for the tests of pages that scripts draw; without them these are skipped.
APT_BROWSER := chromium chromium-sandbox node-react node-react-dom libjs-vue
APT_DEB := debhelper lintian lld
APT_REPO := apt-utils gnupg
# Checkers of the recipes for packagers.
APT_RECIPES := makepkg pacman-package-manager nix-bin ruby rpm desktop-file-utils
APT_BENCH := timg chafa curl libjpeg-turbo-progs
# Static libraries, and what the build of three more takes.
APT_PORTABLE := libnghttp2-dev libssh2-1-dev libpsl-dev libbrotli-dev libidn2-dev libunistring-dev libzstd-dev liblzma-dev libbz2-dev nettle-dev liblz4-dev dpkg-dev gcc g++ xz-utils
APT_DISTROS := debootstrap tmux openssl
APT_PICTURES := tmux python3-pil fonts-dejavu-core

# Warnings are errors in the build that test and check share; STRICT= lets those of another compiler pass.
STRICT := -Xswiftc -warnings-as-errors -Xcc -Wall -Xcc -Wextra -Xcc -Wno-unused-parameter -Xcc -Werror
# Modules in which several threads meet.
THREADED := (Archives|Browser|Collector|GalleryLoading|Halftone|Network|Pipeline|Rendering|State|Terminal|Thumbnails|Trace)Tests

.DEFAULT_GOAL := help
.PHONY: help run build debug test check faults sanitize fuzz soak bench bench-art bench-net terminals manual fit pictures format install uninstall deb repo recipes portable check-portable distros clean \
	deps-build deps-test deps-browser deps-bench deps-deb deps-repo deps-recipes deps-portable deps-distros deps-pictures

help: ## Show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: build ## Build and browse: the bundled gallery, or make run ARGS='https://…'
	@$(BINARY) $(or $(ARGS),Resources/Gallery/index.html)

build: deps-build ## Build the program (release)
	@$(SWIFT) build $(RELEASE) --product halftone

test: deps-test ## Run every test; FILTER='SavingTests|StateTests' builds and runs these
	$(call tests,$(STRICT),$(FILTER),$(if $(FILTER),,--skip DrawnPagesTests))
	@# A browser beside all other tests would be too slow for the times that it is given.
	@$(if $(FILTER),true,SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=2 \
		$(SWIFT) test --skip-build $(STRICT) --filter DrawnPagesTests)

check: deps-build ## Warnings as errors, formatting, the size in tokens
	@$(SWIFT) format lint --strict --recursive --parallel --configuration .swift-format Sources Tests Package.swift
	@$(SWIFT) build --build-tests $(STRICT)
	@Tests/count-tokens

faults: export HALFTONE_KILLS := $(KILLS)
faults: deps-test ## Kill it KILLS times (1000) while it writes, show it every fault of a network, and calibre
	$(call tests,$(STRICT),KillTests|FaultTableTests|SharedCacheTests|SharedStateTests|CalibreTests)

sanitize: export TSAN_OPTIONS := suppressions=$(CURDIR)/Tests/races.txt
sanitize: deps-test ## Run the tests of what uses threads under ThreadSanitizer
	$(call tests,$(STRICT) --sanitize=thread --scratch-path $(BUILD)-sanitize,$(THREADED),--skip DrawnPagesTests)

# Seconds per target, passed as an argument: in a shell, the variable SECONDS counts up.
fuzz: deps-build ## Feed parsers and decoders with libFuzzer: SECONDS=20, 0 for the seeds alone, TARGET= for one
	@SWIFT=$(SWIFT) Tests/Fuzz/run $(or $(SECONDS),20) $(TARGET)

bench: deps-bench ## Measure against limits and peers
	@$(SWIFT) build $(RELEASE) --product halftone
	@$(SWIFT) build $(RELEASE) --product curses-probe
	@$(SWIFT) build $(RELEASE) --product halftone-bench
	@$(BUILD)/release/halftone-bench $(ARGS)

bench-net: ## Measure browsing over a slow line
	@$(MAKE) --no-print-directory bench ARGS=net

bench-art: deps-bench ## Compare pictures with chafa's and timg's, write Resources/Reports
	@$(SWIFT) build $(RELEASE) --product halftone-bench
	@$(BUILD)/release/halftone-bench art $(ARGS)

# Only the program is built with a sanitizer, not the driver.
soak: deps-bench ## Random keys and faults for MINUTES=10, with SANITIZE=thread or address, SEED=
	@$(SWIFT) build $(RELEASE) --product halftone-bench
	@$(if $(SANITIZE),$(SWIFT) build --sanitize=$(SANITIZE) --scratch-path $(BUILD)-soak-$(SANITIZE) --product halftone,\
		$(SWIFT) build $(RELEASE) --product halftone)
	@$(BUILD)/release/halftone-bench soak $(or $(MINUTES),10) \
		$(if $(SANITIZE),$(BUILD)-soak-$(SANITIZE)/debug/halftone,$(BINARY)) $(SEED)

terminals: build ## Open it in every terminal here and in ROOTS=, write Resources/Reports/terminals.md (ARGS= names some)
	@Tests/Terminals/run $(addprefix --root=,$(ROOTS)) $(ARGS)

manual: export HALFTONE_WRITE_MANUAL := 1
manual: deps-test ## Write manual page and completions anew from the tables
	$(call tests,$(STRICT),ManualTests|CommandTests)

fit: export HALFTONE_FIT := 1
ifdef PAGES
fit: export HALFTONE_PAGES := $(abspath $(PAGES))
endif
fit: deps-test ## Find the scraper's weights in labelled pages, PAGES= folders of more; write Resources/Reports
	$(call tests,$(STRICT),FitTests)

pictures: deps-pictures build ## Render README's pictures and its recording in tmux; FOLDER= every screen in three sizes, there
	@Resources/Screenshots/render $(abspath $(BINARY)) $(FOLDER)

format: ## Format the sources
	@$(SWIFT) format --in-place --recursive --parallel --configuration .swift-format Sources Tests Package.swift

install: $(NEEDS_BUILD) ## Install below PREFIX (/usr/local)
	install -D $(BINARY) $(DESTDIR)$(PREFIX)/bin/halftone
	mkdir -p $(SHARE)/Gallery/photos
	cp -R Resources/Recipes Resources/Examples $(wildcard Resources/Rendering) $(SHARE)/
	cp -R Resources/Gallery/assets $(SHARE)/Gallery/
	for page in index page-2; do sed -E $(SMALLER) Resources/Gallery/$$page.html > $(SHARE)/Gallery/$$page.html || exit; done
	grep -oh 'photos/[^"]*' $(SHARE)/Gallery/*.html | sort -u | sed 's|^|Resources/Gallery/|' | xargs cp -t $(SHARE)/Gallery/photos
	$(foreach file,$(SHARED),install -D -m 644 Resources/$(subst :, $(DESTDIR)$(PREFIX)/share/,$(file)) && ) true

uninstall: ## Remove what install has put below PREFIX
	rm -rf $(SHARE)
	rm -f $(DESTDIR)$(PREFIX)/bin/halftone $(foreach file,$(SHARED),$(DESTDIR)$(PREFIX)/share/$(lastword $(subst :, ,$(file))))

deb: deps-deb deps-build ## Make a Debian package in .build, and check it with lintian
	@Resources/Packaging/make-deb $(BUILD) $(if $(NEEDS_BUILD),,$(BINARY))

repo: deps-repo deb ## Make a signed apt repository of it in .build/repo (GPG_KEY= names the key)
	@Resources/Packaging/apt/make-repo $(BUILD)/repo $(BUILD)/halftone_*.deb

recipes: deps-recipes $(NEEDS_BUILD) ## Check the other packagers' recipes with their own tools
	@Resources/Packaging/check $(abspath $(BINARY)) $(abspath $(BUILD))/recipes

deps-repo:
	$(call need,$(APT_REPO))

deps-recipes:
	$(call need,$(APT_RECIPES))

portable: deps-portable build ## Make one file in .build that needs glibc alone, packed with its manual as portable.tar.xz
	@SWIFT=$(SWIFT) Resources/Packaging/portable/make-portable $(BUILD)

check-portable: portable deps-distros ## Try it in bare chroots of Debian's releases: DISTROS='bookworm trixie sid'
	@Resources/Packaging/portable/check-portable $(BUILD)/portable.tar.xz $(or $(DISTROS),bookworm trixie sid)

distros: deps-distros ## Build, test and open it in other releases of Debian: DISTROS='trixie sid'; write Resources/Reports
	@SWIFT=$(SWIFT) Tests/Distros/run $(or $(DISTROS),trixie sid)

deps-portable:
	$(call need,$(APT_PORTABLE))

deps-distros:
	$(call need,$(APT_DISTROS))

deps-pictures:
	$(call need,$(APT_PICTURES))

deps-deb:
	$(call need,$(APT_DEB))

clean: ## Remove everything built
	rm -rf $(BUILD) $(BUILD)-*

# The number of concurrent tests: with all at once, each step waits for the others, for minutes on a busy machine.
TESTS_AT_ONCE := 10

# The modules of tests with a suite whose name, or their own, matches: of the others nothing need be compiled.
suites = $(shell cd Tests; { ls -d *Tests; grep -rE '^ *(@Suite.*)?(struct|enum|class|extension) ' *Tests; } | grep -E '$(1)' | sed 's|[/:].*||' | sort -u)

# $(call tests,arguments,filter,more arguments): builds and runs tests, and repeats failures at the end, where they are easy to find.
define tests
	@$(if $(2),export HALFTONE_SUITES='$(call suites,$(2))';) $(SWIFT) build --build-tests $(1) || exit; \
	set -o pipefail; log=$$(mktemp); trap 'rm -f $$log' EXIT; \
	SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=$(TESTS_AT_ONCE) \
		$(SWIFT) test --skip-build $(1) $(if $(2),--filter '$(2)') $(3) 2>&1 | tee $$log || \
		{ echo; echo "Failed:"; grep -E '✘|WARNING: ThreadSanitizer|SUMMARY: ThreadSanitizer|error:' $$log | head -100; exit 1; }
endef

# $(call need,packages): installs missing packages and reports them; silent if there are none.
define need
	@found=$$($(SWIFT) --version 2>/dev/null | sed -n 's/.*Swift version \([0-9.]*\).*/\1/p'); \
		[ "$$found" ] && printf '%s\n' $(SWIFT_MINIMUM) "$$found" | sort -CV || \
		{ echo "make: Swift $(SWIFT_MINIMUM) or later is needed$${found:+, not $$found}: https://www.swift.org/install" >&2; exit 1; }
	@if command -v dpkg-query >/dev/null; then \
		missing=""; \
		for package in $(1); do \
			dpkg-query -W -f='$${Status}' $$package 2>/dev/null | grep -q 'ok installed' || missing="$$missing $$package"; \
		done; \
		if [ -n "$$missing" ]; then \
			echo "Installing$$missing"; \
			as_root=""; [ "$$(id -u)" = 0 ] || as_root=sudo; \
			$$as_root apt-get update -qq && \
			$$as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $$missing >/dev/null; \
		fi; \
	else \
		echo "make: install the development files of: $(1)" >&2; \
	fi
endef

# $(call want,packages): the same for optional packages, once, one by one.
define want
	@[ -e $(BUILD)/.optional ] || { \
		if command -v apt-get >/dev/null; then \
			as_root=""; [ "$$(id -u)" = 0 ] || as_root="sudo -n"; \
			for package in $(1); do \
				dpkg-query -W -f='$${Status}' $$package 2>/dev/null | grep -q 'ok installed' && continue; \
				echo "Installing $$package"; \
				$$as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $$package >/dev/null 2>&1 \
					|| echo "make: built without $$package" >&2; \
			done; \
		fi; \
		mkdir -p $(BUILD) && touch $(BUILD)/.optional; \
	}
endef

deps-build:
	$(call need,$(APT_BUILD))
	$(call want,$(APT_OPTIONAL))

deps-test:
	$(call need,$(APT_BUILD) $(APT_TEST))
	$(call want,$(APT_OPTIONAL))

deps-browser: ## Install the browser for the tests of pages that scripts draw, which are skipped without it
	$(call need,$(APT_BROWSER))

deps-bench:
	$(call need,$(APT_BUILD) $(APT_BENCH))
