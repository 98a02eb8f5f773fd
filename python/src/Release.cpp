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

Release::Release() {
  ++underWay;
  state = PyEval_SaveThread();
}

Release::~Release() {
  ++returning;
  if (ending && std::this_thread::get_id() != endingThread) {
    --returning;
    while (true)
      pause();
  }
  PyEval_RestoreThread(state);
  --returning;
  --underWay;
}

/// Nobody gets past `ending` once this is done.
static void prepareEnd() {
  endingThread = std::this_thread::get_id();
  ending = true;
  PyThreadState *state = PyEval_SaveThread();
  while (returning)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  PyEval_RestoreThread(state);
  if (!underWay)
    return;
  // What such a call holds is not lost.
  nb::set_leak_warnings(false);
  // What is registered last comes first: before all that the libraries destroy.
  on_exit(
      [](int status, void *) {
        std::fflush(nullptr);
        _exit(status);
      },
      nullptr);
}

void parablock::python::watchEnd() {
  nb::module_::import_("atexit").attr("register")(nb::cpp_function(prepareEnd));
}
