#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The walk of somebody who writes compilers: engineer.sh ROOT BUILD FOLDER. The commands
# are those of README.md and docs/use/Integration.md.

set -euo pipefail
root="$1" build="$2" folder="$3"
llvm=/usr/lib/llvm-22/bin
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"

# fence LANGUAGE NUMBER: prints a fence of docs/use/Integration.md, the first one of its language being 1.
fence() {
  awk -v open="\`\`\`$1" -v number="$2" '
    /^```/ { inside = !inside && $0 == open && ++count == number; next }
    inside' "$root/docs/use/Integration.md"
}

echo "== another tool's IR becomes kernels, and is judged"
block-gen --family=llama --layers=2 --width=64 --heads=4 --batch=1 --seq=16 --level=linalg -o theirs.mlir
block-opt theirs.mlir --block-raise --block-optimize --block-explain -o kernels.mlir
block-run kernels.mlir --engine=reference --seed=1 --baseline=theirs.mlir

echo "== what was not asked for is said"
block-opt theirs.mlir --block-optimize --block-explain -o /dev/null || echo "exit $?"
block-opt theirs.mlir --block-require=fusions=block-form-kernels -o /dev/null || echo "exit $?"
block-opt kernels.mlir --block-parallelize=block=1 -o /dev/null || echo "exit $?"

echo "== the distribution's mlir-opt with the plugin"
plugin="$build/lib/ParablockPlugin.so"
"$llvm/mlir-opt" --load-dialect-plugin="$plugin" --load-pass-plugin="$plugin" \
  --pass-pipeline='builtin.module(block-raise,block-expand)' theirs.mlir -o core.mlir
grep -c 'block.sdpa' core.mlir

echo "== a FileCheck test outside of the tree"
mkdir tests
cat > tests/lit.cfg.py <<'PYTHON'
import lit.formats
import os

config.name = "mine"
config.test_format = lit.formats.ShTest(True)
config.suffixes = [".mlir"]
config.environment["PATH"] = os.environ["PATH"]
PYTHON
{
  echo '// RUN: block-opt %s --block-raise | FileCheck %s'
  echo '// CHECK-COUNT-2: block.attention'
  cat theirs.mlir
} > tests/raised.mlir
PATH="$PATH:$llvm" "$llvm/lit" -q tests
sed -i 's/COUNT-2/COUNT-3/' tests/raised.mlir
PATH="$PATH:$llvm" "$llvm/lit" -q tests > failed.log || echo "a wrong count fails"

echo "== a tool of one's own by find_package"
cmake --install "$build" --prefix="$folder/installed" > install.log
mkdir tool
fence cpp 1 > tool/my-opt.cpp
{
  echo 'cmake_minimum_required(VERSION 3.20)'
  echo 'project(mine CXX C)'
  echo 'set(CMAKE_CXX_STANDARD 17)'
  echo 'add_executable(my-opt my-opt.cpp)'
  echo 'target_compile_options(my-opt PRIVATE -fno-rtti -fno-exceptions)'
  fence cmake 1
} > tool/CMakeLists.txt
cmake -S tool -B tool/build -G Ninja -DCMAKE_PREFIX_PATH="$folder/installed" \
  -DCMAKE_CXX_COMPILER="${CXX:-clang++-22}" -DCMAKE_CXX_COMPILER_LAUNCHER=ccache > configure.log
cmake --build tool/build > build.log
tool/build/my-opt theirs.mlir --block-raise --block-optimize -o mine.mlir
# It does not break long lines.
block-opt mine.mlir | cmp - kernels.mlir && echo "the same kernels"
