//===- Status.h - errors without LLVM ---------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_FILES_STATUS_H
#define PARABLOCK_FILES_STATUS_H

#include <optional>
#include <string>

namespace parablock::files {

enum class Fault {
  /// Bad files, bad arguments, or an error of the device.
  Bad = 1,
  /// A driver or a device was not found.
  Missing = 4
};

struct Failure {
  std::string text;
  Fault fault = Fault::Bad;
};

/// Nothing, or a failure: `if (Status failure = f()) return failure;`.
using Status = std::optional<Failure>;

inline Status fail(std::string text, Fault fault = Fault::Bad) {
  return Failure{std::move(text), fault};
}

} // namespace parablock::files

#endif // PARABLOCK_FILES_STATUS_H
