#!/usr/bin/env bash
# Prints `work | instructions | limit` for every shape of the arena, and fails if one is over its limit.
# With the name of a shape: only that one. Needs valgrind.
set -euo pipefail
cd "$(dirname "$0")/.."
cargo build --release --quiet --package cog-benches --bin instructions
exec "${CARGO_TARGET_DIR:-target}/release/instructions" "$@"
