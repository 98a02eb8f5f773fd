//===- DeviceChips.h - the GPUs that code is made for -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_TARGET_DEVICECHIPS_H
#define PARABLOCK_TARGET_DEVICECHIPS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace parablock {

/// Facts about a GPU that the backend must know.
struct DeviceChip {
  llvm::StringRef name;
  /// The oldest PTX version with everything that kernels for the chip use: the
  /// older the version, the more drivers load it.
  llvm::StringRef features;
};

/// The chip of that name; an error names it and those that are known.
llvm::Expected<const DeviceChip &> findDeviceChip(llvm::StringRef name);

} // namespace parablock

#endif // PARABLOCK_TARGET_DEVICECHIPS_H
