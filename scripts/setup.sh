# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# What ./check and ./demo share: install what is missing, configure, build.
# Sourced by both, from the root of the tree; every function says what it does
# and returns non-zero where it could not.

build="${PARABLOCK_BUILD_DIR:-build}"
llvm_bin=/usr/lib/llvm-22/bin
jobs="$(nproc)"
# Seconds that one call of a package manager may take.
install_seconds=1200
# What configuring and building take (googletest for the targets of unit tests, though
# ./demo builds none), and what the tests take beside it.
packages=(clang-22 lld-22 libstdc++-12-dev cmake ninja-build ccache python3 python3-venv llvm-22-dev llvm-22-tools
          libmlir-22-dev mlir-22-tools libeigen3-dev libgtest-dev libgmock-dev)
test_packages=(g++ python3-dev python3-psutil clang-format-22 openmpi-bin iproute2 pkgconf valgrind)

as_root() {
  if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi
}

# install_packages NAME...: those packages of Debian that are not there yet.
install_packages() {
  local package missing=()
  for package in "$@"; do
    [ "$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null)" = installed ] ||
      missing+=("$package")
  done
  [ ${#missing[@]} = 0 ] && return 0
  echo "installing ${missing[*]}"
  as_root timeout --kill-after=10 "$install_seconds" apt-get update -q &&
    as_root env DEBIAN_FRONTEND=noninteractive timeout --kill-after=10 "$install_seconds" \
      apt-get install -q -y --no-install-recommends "${missing[@]}"
}

# A Python environment of the tests' own, renewed when the requirements change.
install_python() {
  local stamp="$build/venv/requirements.txt" site
  if ! cmp -s test/requirements.txt "$stamp"; then
    echo "creating the Python environment $build/venv"
    mkdir -p "$build" && /usr/bin/python3 -m venv "$build/venv" &&
      "$build/venv/bin/python" -m pip install -q --disable-pip-version-check \
        -r test/requirements.txt &&
      cp test/requirements.txt "$stamp" || return 1
  fi
  # Modules that tests share; lit's own `cat` replaces the PYTHONPATH of a test.
  for site in "$build"/venv/lib/python3*/site-packages; do
    realpath test/support > "$site/parablock-test-support.pth" || return 1
  done
}

# build/bin/ptxas and build/bin/nvdisasm, which assemble and read machine code: links
# to those of PATH or CUDA_HOME if they are of the versions that the tests' tables were
# made with, or to the ones of these wheels.
install_device_tools() {
  link_device_tool ptxas nvidia-cuda-nvcc==13.0.88 &&
    link_device_tool nvdisasm nvidia-cuda-nvdisasm==13.2.86
}

# is_of_version TOOL VERSION: whether a tool of CUDA prints that version.
is_of_version() {
  [ -x "$1" ] && "$1" --version 2>/dev/null | grep -qF ", V$2"
}

# link_device_tool NAME WHEEL==VERSION
link_device_tool() {
  local name="$1" wheel="$2" version="${2#*==}" link="$build/bin/$1" found="" candidate
  is_of_version "$link" "$version" && return 0
  mkdir -p "$build/bin" && rm -f "$link"
  for candidate in "$(command -v "$name" || true)" "${CUDA_HOME:-/usr/local/cuda}/bin/$name"; do
    [ -x "$candidate" ] || continue
    is_of_version "$candidate" "$version" && found="$candidate" && break
    echo "$candidate is not $name $version, which the tests expect"
  done
  if [ -z "$found" ]; then
    echo "installing $wheel"
    # The wheels that it names are for compiling CUDA C++.
    "$build/venv/bin/python" -m pip install -q --disable-pip-version-check --no-deps "$wheel" ||
      return 1
    found="$(find "$build/venv/" -type f -path "*/bin/$name" | head -n 1)"
    [ -n "$found" ] || { echo "there is no $name in $wheel" >&2; return 1; }
    found="$(realpath "$found")" && chmod +x "$found" || return 1
    is_of_version "$found" "$version" || { echo "$found is not $name $version" >&2; return 1; }
  fi
  ln -s "$found" "$link"
}

# configure FOLDER PRESET: once; ninja runs CMake again by itself.
configure() {
  [ -f "$1/build.ninja" ] && return 0
  mkdir -p "$1" && cmake --preset "$2" -B "$1" > "$1/configure.log" 2>&1 ||
    { cat "$1/configure.log"; return 1; }
}

# build_tree FOLDER [target...]: all of it, or these, before the deadline of suite.sh if there
# is one. Prints a line at each tenth of the way, and the compiler's errors where it fails.
build_tree() {
  local folder="$1" started=$SECONDS
  shift
  NINJA_STATUS='%p ' ${deadline:+timeout "$(remaining)"} ninja -C "$folder" -j "$jobs" "$@" 2>&1 | tee "$folder/build.log" |
    show_progress "$folder" "$started"
  [ "${PIPESTATUS[0]}" = 0 ] || { grep -Ev '^ *[0-9]+% ' "$folder/build.log"; return 1; }
  echo "built $folder in $((SECONDS - started)) s"
}

# show_progress FOLDER STARTED: reads what ninja prints, a line a step.
show_progress() {
  local percent rest next=10
  while read -r percent rest; do
    # A compiler's warning quotes lines behind their numbers; what ninja does for its
    # own sake before is counted apart.
    [[ "$percent" =~ ^[0-9]+%$ && "$rest" != Re-* ]] || continue
    percent="${percent%\%}"
    [ "$percent" -ge "$next" ] && [ "$percent" -lt 100 ] || continue
    echo "  $1: $percent % after $((SECONDS - $2)) s"
    next=$((percent - percent % 10 + 10))
  done
}

# What the Python package's tests need, and tests of scripts that compare with PyTorch.
# Its wheels are those for CPUs where pip is told of an index that has them.
install_python_requirements() {
  local stamp="$build/venv/python-requirements.txt"
  cmp -s python/requirements.txt "$stamp" && return 0
  echo "installing what the Python package's tests need"
  "$build/venv/bin/python" -m pip install -q --disable-pip-version-check \
    -r python/requirements.txt && cp python/requirements.txt "$stamp"
}

# The Python package in the tests' environment, over the libraries that were built.
install_python_package() {
  local tree
  install_python_requirements || return 1
  tree="$(realpath "$build")"
  PATH="$tree/venv/bin:$PATH" "$build/venv/bin/python" -m pip install -q \
    --disable-pip-version-check --no-build-isolation --no-deps --editable python \
    --config-settings=build-dir="$tree/python" \
    --config-settings=cmake.define.PARABLOCK_LIBRARY_DIR="$tree/lib"
}

# The newest transformers on the index, beside the pinned one: a folder for PYTHONPATH.
newest_transformers="$(realpath -m "$build")/newest-transformers"
install_newest_transformers() {
  rm -rf "$newest_transformers" &&
    timeout --kill-after=10 "$install_seconds" "$build/venv/bin/python" -m pip install -q \
      --disable-pip-version-check --no-deps --target "$newest_transformers" transformers
}
