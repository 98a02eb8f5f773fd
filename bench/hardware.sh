#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Runs what bench/pack.sh made on a machine with a GPU:
#
#   hardware.sh [FOLDER] [--results=FILE] [--skip=matrix,sanitizer,benchmark]
#   hardware.sh --dry-run [FOLDER]
#
# First the device matrix against carried expectations, then compute-sanitizer
# where there is one, then the benchmark against PyTorch. FOLDER is by default the
# one that this script lies in. It needs python3 with numpy, and for the benchmark
# with PyTorch; no LLVM and no network. --dry-run is the same against a driver that
# the emulator backs, with packages of `pack.sh --tiny`.

set -eu
here="$(cd "$(dirname "$0")" && pwd)"
exec "${PYTHON:-python3}" "$here/hardware.py" --here "$here" "$@"
