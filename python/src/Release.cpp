//===- Release.cpp - long calls, and the end of Python --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Release.h"

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <unistd.h>

using namespace parablock::python;
namespace nb = nanobind;

// Calls that are not back yet, and of these the ones that are about to be.
static std::atomic<int> underWay{0}, returning{0};
static std::atomic<bool> ending{false};
static std::thread::id endingThread;

bool Release::isEnding() { return ending; }

/// Tells whether Python ends in another thread than this one.
static bool isTooLate() {
  return ending && std::this_thread::get_id() != endingThread;
}

[[noreturn]] static void stay() {
  while (true)
    pause();
}

Release::Release() {
  bool staysHere = isTooLate();
  if (!staysHere)
    ++underWay;
  state = PyEval_SaveThread();
  if (staysHere)
    stay();
}

Release::~Release() {
  ++returning;
  if (isTooLate()) {
    --returning;
    stay();
  }
  PyEval_RestoreThread(state);
  --returning;
  --underWay;
}

/// Stops all threads at `ending`, in either direction.
static void prepareEnd() {
  endingThread = std::this_thread::get_id();
  ending = true;
  PyThreadState *state = PyEval_SaveThread();
  while (returning)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  PyEval_RestoreThread(state);
  // What other threads hold is not lost.
  bool isAlone =
      nb::cast<int>(nb::module_::import_("threading").attr("active_count")()) ==
      1;
  if (underWay || !isAlone)
    nb::set_leak_warnings(false);
  if (!underWay)
    return;
  // What is registered last comes first: before all that the libraries destroy.
  on_exit(
      [](int status, void *) {
        std::fflush(nullptr);
        _exit(status);
      },
      nullptr);
}

void parablock::python::watchEnd() {
  // What is registered last comes first here, too: before folders of calls that
  // are under way are removed, for which the first of these registers.
  nb::module_ weakref = nb::module_::import_("weakref");
  weakref.attr("finalize")(weakref, weakref.attr("ref")).attr("detach")();
  nb::module_::import_("atexit").attr("register")(nb::cpp_function(prepareEnd));
}
