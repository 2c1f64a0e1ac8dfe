#!/usr/bin/env bash
# Writes benches/RECORD.md anew: what was measured, where, with what, at which commit. Needs valgrind, and a quiet
# machine for the times; instructions don't care. Takes about five minutes.
set -euo pipefail
cd "$(dirname "$0")/.."
commit=$(git rev-parse --short HEAD)
git diff --quiet HEAD -- cog-arena cog-bevy benches/src examples || commit="$commit, with changes"

# Name and middle estimate of each criterion line, as a table.
times() {
  awk '
    /^[a-z_]+\/[^ ]*/ { name = $1 }
    /time:/ { for (i = 1; i <= NF; i++) if ($i ~ /^\[/) { printf "| %s | %s %s |\n", name, $(i + 2), $(i + 3); break } }
  '
}

instructions=$(bash benches/instructions.sh)
times=$(cargo bench --quiet --package cog-benches --bench arena -- --quick 2>/dev/null | times)
crowd=$(cargo run --quiet --release --example crowd -- --frames "${FRAMES:-60}")
{
  cat <<TEXT
# Record

Written by \`bash benches/record.sh\`; nothing here is typed by hand.

| | |
|---|---|
| machine | $(nproc) x $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1) |
| system | $(uname -sr) |
| toolchain | $(rustc --version), release, thin LTO, one codegen unit |
| commit | $commit |
| day | $(date -u +%F) |

## Instructions

A unit is one warm turn; of a chain, a link; of aligned columns, a changed row of one column. The gate is the limit
(\`benches/limits.tsv\`); the target is the design's.

$instructions

## Times

\`cargo bench --package cog-benches --bench arena -- --quick\`: the middle of criterion's three estimates, for a whole
operation.

| work | time |
|---|---:|
$times

## A crowd of 100,000

\`cargo run --release --example crowd -- --frames ${FRAMES:-60}\`: all variants in one process, ratios to the first.

\`\`\`text
$crowd
\`\`\`
TEXT
} >benches/RECORD.md.new
mv benches/RECORD.md.new benches/RECORD.md
echo "benches/RECORD.md is written"
