# Builds as OpenBench asks for it, `make EXE=name`; cargo alone does the work.
EXE ?= vermilion
# The processors that `make windows` builds for: x86-64-v2 runs nearly everywhere, v3 (AVX2) is faster.
LEVEL ?= x86-64-v3
# Where `make release` and `make windows` put what they build.
OUT ?= target/dist

# OpenBench names the compiler in CC or CXX. It is cargo, which is no compiler of C.
unexport CC CXX

WINDOWS := x86_64-pc-windows-gnu
LINUX := x86_64-unknown-linux-gnu
# A toolchain that has the standard library for Windows builds it as it is; else Debian's, which
# builds that library from its own sources (packages rustc-web, cargo-web, rust-web-src and
# gcc-mingw-w64-x86-64).
HAS_STD := $(wildcard $(shell rustc --print sysroot 2>/dev/null)/lib/rustlib/$(WINDOWS)/lib)
ifeq ($(HAS_STD),)
CARGO_WINDOWS := RUSTC_BOOTSTRAP=1 RUSTC=/usr/bin/rustc /usr/bin/cargo build -Z build-std=std,panic_abort
else
CARGO_WINDOWS := cargo build
endif

.PHONY: all
all:
	cargo build --release --locked
	cp "$${CARGO_TARGET_DIR:-target}/release/vermilion" "$(EXE)"

.PHONY: windows
windows:
	RUSTFLAGS="-C target-cpu=$(LEVEL)" $(CARGO_WINDOWS) --release --locked --target $(WINDOWS) --target-dir target/windows
	mkdir -p "$(OUT)"
	cp target/windows/$(WINDOWS)/release/vermilion.exe "$(OUT)/vermilion-$(LEVEL).exe"

.PHONY: linux
linux:
	RUSTFLAGS="-C target-cpu=$(LEVEL)" cargo build --release --locked --target $(LINUX) --target-dir target/linux
	mkdir -p "$(OUT)"
	cp target/linux/$(LINUX)/release/vermilion "$(OUT)/vermilion-$(LEVEL)-linux"

.PHONY: release
release:
	$(MAKE) linux LEVEL=x86-64-v2
	$(MAKE) linux LEVEL=x86-64-v3
	$(MAKE) windows LEVEL=x86-64-v2
	$(MAKE) windows LEVEL=x86-64-v3
