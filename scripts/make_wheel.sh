#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Builds a wheel of the Python package that pip installs on other machines, without
# packages of Debian: LLVM and MLIR are inside. It runs where glibc is at least as
# new as here (2.36 on Debian 12, and so its name says), on x86-64.
#
#   scripts/make_wheel.sh [--output=FOLDER] [--python=PYTHON] [--stable-abi=FOLDER]
#
#   --output=FOLDER      where the wheel goes (build/wheel)
#   --python=PYTHON      for which Python, of 3.11 or later, with its headers
#                        (/usr/bin/python3); from 3.12 on, for all later ones, too
#   --stable-abi=FOLDER  where Python.h of 3.12 or later is (of Debian 13:
#                        usr/include/python3.13 of libpython3.13-dev): the one wheel is
#                        then for PYTHON, and for every Python from 3.12 on
#
# The build tree is $PARABLOCK_BUILD_DIR, or build/; what is not built yet is built.

set -u
caller="$PWD"
cd "$(dirname "$0")/.." || exit 1
. scripts/setup.sh

refuse() {
  echo "make_wheel.sh: error: $1" >&2
  exit 1
}

python=/usr/bin/python3
headers=
output="$build/wheel"
for argument in "$@"; do
  path="$(cd "$caller" && realpath -ms "${argument#*=}")"
  case "$argument" in
    --output=?*) output="$path" ;;
    --python=*/*) python="$path" ;;
    --python=?*) python="${argument#*=}" ;;
    --stable-abi=?*) headers="$path" ;;
    -h | --help) sed -n '3,19s/^# \{0,1\}//p' "$0"; exit 0 ;;
    *) refuse "unknown option '$argument'; see --help" ;;
  esac
done
[ -z "$headers" ] || [ -f "$headers/Python.h" ] || refuse "--stable-abi: there is no Python.h in '$headers'"
version="$("$python" -c 'import sys; print("%d%d" % sys.version_info[:2])')" ||
  refuse "--python: '$python' does not run"
[ "$version" -ge 311 ] || refuse "--python: expected Python 3.11 or later, got '$python' of $version"

install_packages "${packages[@]}" python3-dev libzstd-dev zlib1g-dev binutils && configure "$build" default || exit 1
tree="$(realpath "$build")"
build_tree "$tree" parablock-c-whole parablock-launch || exit 1
strip -o "$tree/wheel/libparablock-launch.so" "$tree/lib/libparablock-launch.so" || exit 1

platform="manylinux_$(getconf GNU_LIBC_VERSION | sed 's/.* //;s/\./_/')_x86_64"
if [ "$version" -ge 312 ]; then
  tags="cp312-abi3-$platform"
else
  tags="cp$version-cp$version-$platform${headers:+;cp312-abi3-$platform}"
fi
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
"$python" -m venv "$work/venv" &&
  CXX="$(sed -n 's/^CMAKE_CXX_COMPILER:[^=]*=//p' "$tree/CMakeCache.txt")" \
    "$work/venv/bin/python" -m pip wheel -q --disable-pip-version-check --no-deps ./python \
    --wheel-dir "$work" \
    --config-settings=build-dir="$work/build" \
    --config-settings=wheel.tags="$tags" \
    --config-settings=cmake.define.PARABLOCK_LIBRARY_DIR="$tree/wheel" \
    --config-settings=cmake.define.PARABLOCK_STABLE_HEADERS="$headers" || exit 1
mkdir -p "$output" && mv "$work"/parablock-*.whl "$output/" || exit 1
wheel="$(ls -t "$output"/parablock-*.whl | head -n 1)"
echo "$wheel: $(($(stat -c %s "$wheel") / 1000000)) MB"
