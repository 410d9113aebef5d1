# Builds as OpenBench asks for it, `make EXE=name`; cargo alone does the work.
EXE ?= vermilion

# OpenBench names the compiler in CC or CXX. It is cargo, which is no compiler of C.
unexport CC CXX

.PHONY: all
all:
	cargo build --release --locked
	cp "$${CARGO_TARGET_DIR:-target}/release/vermilion" "$(EXE)"
