#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The walk of somebody with a pipeline of their own: pipeline.sh BUILD FOLDER. Their function
# has another name, their passes another order, and passes of MLIR stand in between; each
# result is held against their own IR on two engines.

set -euo pipefail
build="$1" folder="$2"
llvm=/usr/lib/llvm-22/bin
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"

# Runs what a pipeline made beside the IR that it read.
hold() {
  grep -oE 'block\.(attention|kernel|sdpa)\b' "$1" | sort | uniq -c | sed 's/^ *//' | paste -sd ,
  for engine in cpu reference; do
    block-run "$1" --function=forward --engine="$engine" --seed=3 --dims="$3" --baseline="$2" | tail -1 | cut -d' ' -f1,2
  done
}

echo "== a function of another name, of sizes that are no powers of 2"
block-gen --family=mistral --layers=2 --width=48 --heads=6 --kv-heads=2 --hidden=88 --vocab=61 --batch=3 --seq=11 \
  --level=linalg | sed -E 's/@main/@forward/; s/block.init = #block.init<[^>]*>, //g' > theirs.mlir
pipelines=(
  'canonicalize,cse,block-raise,block-optimize'
  'block-raise,block-optimize,block-optimize,canonicalize'
  'block-raise,canonicalize,cse,block-expand,block-fuse-input-projections,block-fold-norm,symbol-dce,block-form-kernels'
  'block-raise,func.func(canonicalize,cse),block-expand,block-form-kernels,canonicalize'
  'block-raise,block-expand,cse,block-fuse-output-projections,block-form-kernels,block-form-leftovers'
)
for pipeline in "${pipelines[@]}"; do
  echo "$pipeline"
  block-opt theirs.mlir --pass-pipeline="builtin.module($pipeline)" -o mine.mlir
  hold mine.mlir theirs.mlir ''
done

echo "== their driver is mlir-opt, whose passes come first"
plugin="$build/lib/ParablockPlugin.so"
"$llvm/mlir-opt" theirs.mlir --pass-pipeline='builtin.module(func.func(linalg-generalize-named-ops),canonicalize)' -o general.mlir
grep -c linalg.generic general.mlir > /dev/null
"$llvm/mlir-opt" --load-dialect-plugin="$plugin" --load-pass-plugin="$plugin" general.mlir \
  --pass-pipeline='builtin.module(block-raise,canonicalize,block-optimize)' -o mine.mlir
hold mine.mlir theirs.mlir ''

echo "== open sizes, two of them"
block-gen --family=gpt2 --layers=1 --width=48 --heads=3 --vocab=61 --seq=? --batch=? | sed 's/@main/@forward/' > open.mlir
block-opt open.mlir --pass-pipeline='builtin.module(block-expand,cse,block-optimize)' -o mine.mlir
for dims in batch=1,seq=1 batch=2,seq=17; do
  hold mine.mlir open.mlir "$dims"
done
