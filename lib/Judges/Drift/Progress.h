//===- Progress.h - progress of a long run ----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_DRIFT_PROGRESS_H
#define PARABLOCK_LIB_DRIFT_PROGRESS_H

#include "llvm/ADT/Twine.h"
#include "llvm/Support/raw_ostream.h"

namespace parablock::drift {

/// One line that is written over and over, and gone at the end.
class Progress {
public:
  Progress(llvm::raw_ostream &os, bool enabled) : os(os), enabled(enabled) {}
  ~Progress() { show(""); }

  void show(const llvm::Twine &text) {
    if (enabled)
      os << "\r\033[K" << text;
    os.flush();
  }

private:
  llvm::raw_ostream &os;
  bool enabled;
};

} // namespace parablock::drift

#endif // PARABLOCK_LIB_DRIFT_PROGRESS_H
