# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# What ./check runs tests with. Sourced behind setup.sh; $results is the folder of results.

failed_steps=()
# Seconds that one test may take.
limit=600
# The run ends at the first of these values of SECONDS, a part of it at the second, if they
# are not empty.
end=
deadline=

# step NAME command...: a step that fails counts as one failed test.
step() {
  local name="$1"
  shift
  if ! "$@"; then
    echo "FAILED: $name"
    failed_steps+=("$name")
    return 1
  fi
}

# remaining: seconds until the deadline, at least 1.
remaining() { echo $((deadline > SECONDS ? deadline - SECONDS : 1)); }

# write_result NAME TEST [CONTENT]: the result of what no other program reports.
write_result() {
  echo "<testsuite><testcase classname=\"check.$1\" name=\"$2\" time=\"0\">${3:-}</testcase></testsuite>" > "$results/$1.xml"
}

# take_share PERCENT: ends the next part of the run after that part of the time that is left.
take_share() { [ -z "$end" ] || deadline=$((SECONDS + (end > SECONDS ? end - SECONDS : 0) * $1 / 100)); }

# has_time NAME: whether there is time for a part of the run, which is reported as
# skipped if not.
has_time() {
  [ -z "$deadline" ] || [ "$SECONDS" -lt "$deadline" ] && return 0
  write_result "$1" all '<skipped message="no time left"/>'
  return 1
}

# in_group COMMAND...: runs a command, then ends the processes that it left.
in_group() { (set -m; "$@" & wait "$!"; kill -KILL -- "-$!" 2>/dev/null); }

# run_lit NAME [lit argument...]: prints what failed with its output, writes
# $results/NAME.xml, never stops. At the deadline lit ends what runs, and skips the rest.
run_lit() {
  local name="$1"
  shift
  has_time "$name" || return 0
  PARABLOCK_TEST_END="${deadline:+$(($(date +%s) + $(remaining)))}" \
    ${deadline:+in_group} "$llvm_bin/lit" -v --print-result-after=failed --no-terse-summary -j "$jobs" \
    --timeout="$limit" ${deadline:+--max-time="$(remaining)"} --allow-empty-runs \
    --xunit-xml-output="$results/$name.xml" "$@" > "$results/$name.log" 2>&1
  # This is how lit says that it skipped a test, or that a unit test skipped itself.
  local skipped="${deadline:+no time left}"
  [ ! -s "$results/$name.xml" ] ||
    sed -i "s/<skipped message=\"User interrupt\"/<skipped message=\"${skipped:-by the test itself}\"/" "$results/$name.xml"
  # The counts at the end are those of summarize.py.
  sed '/: note: The test suite configuration requested/d; /^-- Testing: /d; /^\(Total Discovered Tests\|Failed Tests\|Timed Out Tests\|Unresolved Tests\) *[(:]/,$d' "$results/$name.log"
  [ -s "$results/$name.xml" ] || { cat "$results/$name.log"; step "the tests of $name" false; }
}

# run_pytest NAME [argument...]: the same for tests of the Python package. A test that
# hangs in native code ends with the run, in an hour, and its stack is in the log.
run_pytest() {
  local name="$1"
  shift
  has_time "$name" || return 0
  (cd python && PARABLOCK_TEST_CODES="$codes" PARABLOCK_EMULATOR_CACHE="$emulated" \
    PARABLOCK_TEST_SECONDS="${deadline:+$(remaining)}" timeout --kill-after=10 3600 "$python" -m pytest \
    -n "$jobs" --dist loadgroup --no-loadscope-reorder --timeout="$limit" --timeout-method=signal \
    -o faulthandler_timeout=$((limit + 60)) --junitxml="$results/$name.xml" --junit-prefix=python \
    "$@" > "$results/$name.log" 2>&1)
  cat "$results/$name.log"
  [ -s "$results/$name.xml" ] || step "the tests of python/" false
}

# build_for NAME PRESET [target...]: the tree of a part of the run, below $build.
build_for() {
  local name="$1" tree="$build/$2" preset="$2"
  shift 2
  has_time "$name" && step "configuring $tree" configure "$tree" "$preset" || return 1
  build_tree "$tree" "$@" || { has_time "$name" && step "building $tree" false; return 1; }
  has_time "$name"
}

# run_types: the types of the Python package, as one test.
run_types() {
  local outcome="" log="$results/types.log"
  (cd python && "$python" -m mypy) > "$log" 2>&1 ||
    { cat "$log"; outcome='<failure message="mypy"/>'; }
  write_result types mypy "$outcome"
}

# run_clang_tidy SLICE: each source of that part of lib/ and tools/ is a test.
run_clang_tidy() {
  has_time clang-tidy || return 0
  scripts/run_clang_tidy.py --jobs "$jobs" --slice "$1" ${deadline:+--seconds "$(remaining)"} \
    --results "$results/clang-tidy.xml" "$build"
  [ -s "$results/clang-tidy.xml" ] || step "clang-tidy" false
}

# Ends the run: the time per folder, what was skipped and what failed, then the one line that counts.
finish() {
  [ -x /usr/bin/python3 ] || { echo "0 passed, ${#failed_steps[@]} failed"; exit 1; }
  /usr/bin/python3 scripts/summarize.py ${failed_steps[@]+"${failed_steps[@]/#/--failed-step=}"} --long 60 "$results"
  exit $?
}
