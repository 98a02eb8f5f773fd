#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Makes what bench/hardware.sh runs on a machine with a GPU and without LLVM:
#
#   bench/pack.sh [--sizes=full|small|tiny] [--only=KIND,...] [--wheel=FILE] FOLDER
#
# FOLDER gets packages, inputs, weights and expected results of small models, the
# packages of the benchmark, the launcher and the programs of this folder. It is
# self-contained: carry it and call FOLDER/hardware.sh. Small sizes, of the same
# list, and tiny ones, of a case of each kind, are for dry runs here. The tools come from
# $PARABLOCK_BUILD_DIR, or build/.

set -eu
here="$(cd "$(dirname "$0")" && pwd)"
build="${PARABLOCK_BUILD_DIR:-$here/../build}"
python="$build/venv/bin/python"
[ -x "$python" ] || python=python3
export PATH="$(cd "$build" && pwd)/bin:$PATH"
exec "$python" "$here/pack.py" --build "$build" "$@"
