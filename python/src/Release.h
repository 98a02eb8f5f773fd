//===- Release.h - long calls, and the end of Python ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A call that nobody waits for any more may still be under way when Python
// ends. Coming back, its thread would be ended by an exception that the frames
// of C++ below it do not let through, and what the library keeps for the
// process would be destroyed under it. So such a thread stays where it is, and
// the process ends without destroying anything that it may be using. A call
// that would begin by then does not.
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
