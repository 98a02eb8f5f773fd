//===- BuildId.h - build ids of programs ------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_SUPPORT_BUILDID_H
#define PARABLOCK_SUPPORT_BUILDID_H

#include <string>

namespace parablock {

/// Returns the build id of the file whose code is at `address`, in hexadecimal
/// digits; it changes with the code. Empty if the linker wrote none.
std::string findBuildId(const void *address);

} // namespace parablock

#endif // PARABLOCK_SUPPORT_BUILDID_H
