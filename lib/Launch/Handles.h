//===- Handles.h - what the C interface gives out ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_LAUNCH_HANDLES_H
#define PARABLOCK_LIB_LAUNCH_HANDLES_H

#include "Session.h"
#include "parablock-launch/Launch.h"

namespace parablock::launch {

/// The fields of pbl_tensor for a tensor, in memory that stays.
struct TensorView {
  std::vector<int64_t> shape;
  std::vector<const char *> dimNames;
};

/// Tells the caller; PBL_OK after success.
pbl_code report(const Status &status, pbl_error *error);

/// `made`, or null after a failure.
template <typename T>
T *give(std::unique_ptr<T> made, const Status &status, pbl_error *error) {
  return report(status, error) == PBL_OK ? made.release() : nullptr;
}

} // namespace parablock::launch

struct pbl_package {
  parablock::Package package;
  std::vector<parablock::launch::TensorView> views;

  uint32_t numTensors() const {
    return static_cast<uint32_t>(package.arguments.size() +
                                 package.results.size());
  }
  const parablock::PackagePort &port(uint32_t index) const {
    size_t numArguments = package.arguments.size();
    return index < numArguments ? package.arguments[index]
                                : package.results[index - numArguments];
  }
};
struct pbl_device {
  std::unique_ptr<parablock::launch::DeviceContext> context;
};
struct pbl_group {
  std::unique_ptr<parablock::launch::RankGroup> group;
};
struct pbl_program {
  const pbl_package *package;
  std::unique_ptr<parablock::launch::Program> program;
};
struct pbl_session {
  const pbl_package *package;
  std::unique_ptr<parablock::launch::Session> session;
};

#endif // PARABLOCK_LIB_LAUNCH_HANDLES_H
