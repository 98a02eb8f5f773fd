//===- FakeFaults.h - faults that a test asks for ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A fault is described by a text, of PARABLOCK_FAKE_FAULT or of a call of
// parablockFakeSetFault:
//   allocation:N  the N-th allocation finds too little memory
//   launch:N      the N-th kernel that runs fails
//   call:N        the device is lost at the N-th call: that one and all later
//                 ones fail, and those that free objects still free them
// Counts begin with 1, when the fault is set. An empty text is no fault.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_TOOLS_FAKE_DRIVER_FAKEFAULTS_H
#define PARABLOCK_TOOLS_FAKE_DRIVER_FAKEFAULTS_H

#include "parablock/Engines/Launch/DriverAPI.h"
#include <mutex>
#include <string>

namespace parablock::fake {

class FakeFaults {
public:
  enum Kind { Allocation, Launch, Call };

  /// Restarts the counts. Returns false for a text that is no fault.
  bool set(const std::string &text);

  /// Counts an event; returns true if it has to fail.
  bool count(Kind kind);
  /// Returns how many events of a kind there were since the fault was set.
  uint64_t getCount(Kind kind) const;

private:
  mutable std::mutex mutex;
  uint64_t counts[3] = {};
  Kind kind = Call;
  /// 0: no fault.
  uint64_t number = 0;
};

} // namespace parablock::fake

#endif // PARABLOCK_TOOLS_FAKE_DRIVER_FAKEFAULTS_H
