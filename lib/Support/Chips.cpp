//===- Chips.cpp - table of chips and lookups -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Support for a new chip is a new row: it contains everything that schedules
// depend on.
//
//===----------------------------------------------------------------------===//

#include "parablock/Support/Chips.h"

#include "parablock/Support/NamedEnum.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

using namespace parablock;

// Without a product in its name, sm_80 is an A100 with 80 GB, and sm_90a an
// H200, both with NVLink, with half of its rate in each direction. The time of
// a step is an assumption, as is the rate of an H200's cache (that of an A100).
// An H100 reached 778 TFLOP/s in a product of 8192, limited by its power, and
// 3.0 TB/s in copies (docs/measured/PerformanceGpu.md). For an H200, 769 to 798
// TFLOP/s by cuBLAS and copies at 4.3 TB/s are published. H100s with PCIe and
// H20s have fewer multiprocessors, the H20's with a fourth of the tensor cores'
// rate. clang-format off
static constexpr Chip chips[] = {
    {"cpu", "", "", 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, false, false},
    {"sm_80", "A100", "+ptx80", 312e12, 19.5e12, 2.039e12, 0, 0, 2e-6, 300e9,
     2e-6, 108, 1024, 128, 5120, 163 * 1024, 40'000'000,
     /*isHopper=*/false, /*isForward=*/true},
    {"sm_90a", "H200", "+ptx86", 989e12, 67e12, 4.8e12, 780e12, 4.3e12, 2e-6,
     450e9, 2e-6, 132, 2048, 128, 5120, 227 * 1024, 50'000'000,
     /*isHopper=*/true, /*isForward=*/false},
    {"sm_90a-h100", "H100 SXM", "+ptx86", 989e12, 67e12, 3.35e12, 778e12,
     3.0e12, 2e-6, 450e9, 2e-6, 132, 2048, 128, 5120, 227 * 1024, 50'000'000,
     /*isHopper=*/true, /*isForward=*/false},
    {"sm_90a-h200", "H200", "+ptx86", 989e12, 67e12, 4.8e12, 780e12, 4.3e12,
     2e-6, 450e9, 2e-6, 132, 2048, 128, 5120, 227 * 1024, 50'000'000,
     /*isHopper=*/true, /*isForward=*/false},
    {"sm_90a-h100-pcie", "H100 PCIe", "+ptx86", 756e12, 51e12, 2.0e12, 0, 0,
     2e-6, 300e9, 2e-6, 114, 2048, 128, 5120, 227 * 1024, 50'000'000,
     /*isHopper=*/true, /*isForward=*/false},
    {"sm_90a-h20", "H20", "+ptx86", 148e12, 44e12, 4.0e12, 0, 0, 2e-6, 450e9,
     2e-6, 78, 512, 128, 5120, 227 * 1024, 60'000'000,
     /*isHopper=*/true, /*isForward=*/false},
};
// clang-format on

/// Finds `name` among the GPUs, or among all chips.
static llvm::Expected<const Chip &> lookup(llvm::StringRef name,
                                           bool devicesOnly) {
  llvm::SmallVector<llvm::StringRef> known;
  for (const Chip &chip : chips) {
    if (devicesOnly && !chip.isDevice())
      continue;
    if (chip.name == name)
      return chip;
    known.push_back(chip.name);
  }
  return llvm::createStringError("unknown chip '" + name + "': expected " +
                                 listNames(known));
}

llvm::Expected<const Chip &> parablock::findChip(llvm::StringRef name) {
  return lookup(name, /*devicesOnly=*/false);
}

llvm::Expected<const Chip &> parablock::findDeviceChip(llvm::StringRef name) {
  return lookup(name, /*devicesOnly=*/true);
}

const Chip &parablock::getDeviceChip(llvm::StringRef name) {
  return llvm::cantFail(findDeviceChip(name), "a chip that was looked up");
}

llvm::StringRef parablock::getForwardChip() {
  return llvm::find_if(chips, [](const Chip &chip) { return chip.isForward; })
      ->name;
}
