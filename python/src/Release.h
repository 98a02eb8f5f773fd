//===- Release.h - long calls, and the end of Python ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A call that was interrupted may still run when Python ends. On its return,
// Python would end its thread by an exception that the frames of C++ below it
// do not let through, and would destroy objects of the library that it uses. So
// such a thread stays where it is, and the process ends without destroying
// anything that it may be using. A call that would begin at that time does not
// begin.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_PYTHON_RELEASE_H
#define PARABLOCK_PYTHON_RELEASE_H

#include <nanobind/nanobind.h>

namespace parablock::python {

/// Lets other threads have Python while it lives.
class Release {
public:
  Release();
  ~Release();
  Release(const Release &) = delete;

  /// Whether Python is about to end.
  static bool isEnding();

private:
  PyThreadState *state;
};

/// Has Python tell us of its end.
void watchEnd();

} // namespace parablock::python

#endif // PARABLOCK_PYTHON_RELEASE_H
