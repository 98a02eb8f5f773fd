#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A GPT-2 in upstream ops (level 0) is raised, counted, and held against what it was:
# raise_demo.sh BUILD_FOLDER; what is made goes to its demo/.

set -eu
PATH="$PWD/$1/bin:$1/bin:$PATH"
low="$1/demo/gpt2.linalg.mlir"
raised="$1/demo/gpt2.raised.mlir"
mkdir -p "$1/demo"
block-gen --family=gpt2 --layers=2 --width=64 --heads=4 --vocab=512 --positions=64 \
  --batch=2 --seq=33 --level=linalg -o "$low"
block-opt "$low" --block-raise -o "$raised"
for file in "$low" "$raised"; do
  printf '%s: %d ops of linalg, %d layers\n' "$(basename "$file")" \
    "$(grep -c 'linalg\.' "$file")" "$(grep -c 'block\.layer' "$file")"
done
block-run "$raised" --engine=reference --seed=7 --baseline="$low"
