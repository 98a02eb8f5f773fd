//===- DeviceChips.cpp - the GPUs that code is made for -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Target/DeviceChips.h"

using namespace parablock;

static constexpr DeviceChip chips[] = {
    {"sm_80", "+ptx80"},
    {"sm_90a", "+ptx86"},
};

llvm::Expected<const DeviceChip &>
parablock::findDeviceChip(llvm::StringRef name) {
  for (const DeviceChip &chip : chips)
    if (chip.name == name)
      return chip;
  return llvm::createStringError("unknown chip '" + name +
                                 "': expected sm_80 or sm_90a");
}
