#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Runs what bench/pack.sh made on a machine with a GPU:
#
#   hardware.sh [FOLDER] [--results=FILE]
#               [--skip=matrix,experiments,counters,doors,benchmark,compile,sanitizer]
#               [--only=TEXT] [--seconds=N] [--case-seconds=N]
#   hardware.sh --dry-run [FOLDER]
#
# First what the first ten minutes on a device must settle: the matrix against
# carried expectations; products and attention with and without one thing each
# (bench/variants.py): the scope of arrivals, tiles of 128 x 256, the order of tiles,
# prefetched tensor maps, launches that overlap, one graph, in turns; then what ncu
# counts, where there is one. After that the doors of Python (bench/doors.py), in order
# of worth: generate() of models with drawn weights beside transformers, with a static
# cache and max-autotune, and torch.compile beside Inductor; then the benchmark against
# PyTorch, and compute-sanitizer where there is one. The doors need transformers and
# the package, which `pack.sh --wheel=FILE` brings along. FOLDER is by default the one
# that this script lies in. It needs python3 with numpy, and for the benchmark with
# PyTorch; no LLVM and no network. A case that crashes, or hangs for
# --case-seconds, fails alone; if a peer hangs, ours and the peers before stay. After
# --seconds nothing new is begun, and what runs then is left, so that the script ends
# with the names of what is left; the same --results go on where they ended.
# --dry-run is the same against a driver that the emulator backs, with packages of
# `pack.sh --sizes=tiny` or `small`.
#
# Exit codes: 0 all is well, 1 something failed, 4 no device, 5 cases are left.

set -eu
here="$(cd "$(dirname "$0")" && pwd)"
exec "${PYTHON:-python3}" "$here/hardware.py" --here "$here" "$@"
