//===- LaunchedProgram.h - runs by the launcher -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_PACKAGE_LAUNCHEDPROGRAM_H
#define PARABLOCK_LIB_PACKAGE_LAUNCHEDPROGRAM_H

#include "parablock-launch/Launch.h"
#include "parablock/Execution/Engine.h"
#include <memory>

namespace parablock {

/// Frees the library's objects.
struct LaunchCloser {
  void operator()(pbl_package *p) const { pbl_package_close(p); }
  void operator()(pbl_device *p) const { pbl_device_close(p); }
  void operator()(pbl_program *p) const { pbl_program_destroy(p); }
  void operator()(pbl_session *p) const { pbl_session_destroy(p); }
};
using LaunchDevice = std::unique_ptr<pbl_device, LaunchCloser>;

/// The driver's first device; a MissingError where there is none.
llvm::Expected<LaunchDevice> openLaunchDevice();

/// Runs the package at `path` on the arguments of its function, in order.
llvm::Expected<runner::RunResult>
runLaunched(const std::string &path, pbl_device &device,
            llvm::ArrayRef<runner::Tensor> arguments,
            const runner::RunOptions &options);

} // namespace parablock

#endif // PARABLOCK_LIB_PACKAGE_LAUNCHEDPROGRAM_H
