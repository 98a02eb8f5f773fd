//===- print-gemms.cpp - kernels of large products ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// print-gemms CHIP: prints the kernels of large products as a gpu.module. What
// becomes of them is checked in test/Conversion/TileToNVVM.
//
//===----------------------------------------------------------------------===//

#include "GemmProgram.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

using namespace parablock::unittest;
using namespace parablock::unittest::schedules;

int main(int argc, char **argv) {
  if (argc != 2) {
    llvm::errs() << "print-gemms: error: expected a chip\n";
    return 1;
  }
  llvm::StringRef chip = argv[1];
  struct Large {
    const char *name;
    int64_t rows, columns;
    llvm::StringRef type, schedule;
    bool isHopper = false, leftDepthFirst = false, rightDepthFirst = false;
  };
  static const Large kernels[] = {
      {"mma_128x128", 128, 128, "bf16", mma80},
      {"mma_64x128", 64, 128, "f16",
       "multiply = mma, copies = async, warps = 4, stages = 3, grid = 1"},
      {"mma_64x256", 64, 256, "bf16",
       "multiply = mma, copies = async, warps = 8, stages = 2, grid = 1"},
      {"mma_plain", 128, 128, "f16", mmaPlain},
      {"fma_64x128", 64, 128, "f32", fma32},
      {"fma_64x256", 64, 256, "f32", fma32},
      {"wgmma_128x128", 128, 128, "bf16", wgmma128, true},
      {"wgmma_128x256", 128, 256, "f16",
       "multiply = wgmma, copies = tma, warps = 8, producers = 4, stages = 3, "
       "grid = 1",
       true},
      {"wgmma_64x128", 64, 128, "f16", wgmma64, true},
      {"wgmma_64x256", 64, 256, "bf16", wgmma64, true},
      {"left_wgmma_128x128", 128, 128, "bf16", wgmma128, true, true, false},
      {"right_wgmma_128x128", 128, 128, "f16", wgmma128, true, false, true},
      {"both_wgmma_128x128", 128, 128, "bf16", wgmma128, true, true, true},
      {"cluster_128x128", 128, 128, "bf16",
       "multiply = wgmma, copies = tma, warps = 8, producers = 4, stages = 4, "
       "grid = 132, cluster = 2",
       true},
      {"left_mma_128x128", 128, 128, "bf16", mma80, false, true, false},
      {"right_mma_128x128", 128, 128, "f16", mma80, false, false, true},
      {"both_mma_128x128", 128, 128, "bf16", mma80, false, true, true},
      {"left_fma_64x128", 64, 128, "f32", fma32, false, true, false},
      {"right_fma_64x128", 64, 128, "f32", fma32, false, false, true},
      {"both_fma_64x128", 64, 128, "f32", fma32, false, true, true},
  };
  llvm::outs() << "gpu.module @kernels {\n";
  for (const Large &large : kernels) {
    if (large.isHopper && chip != "sm_90a")
      continue;
    GemmProgram program;
    program.name = large.name;
    program.type = large.type.str();
    program.m = program.n = program.k = 4096;
    program.k2 = 1024;
    program.tileRows = large.rows;
    program.tileColumns = large.columns;
    program.schedule = large.schedule.str();
    program.stagedColumns = 128;
    program.leftDepthFirst = large.leftDepthFirst;
    program.rightDepthFirst = large.rightDepthFirst;
    llvm::outs() << program.kernel();
  }
  llvm::outs() << "}\n";
  return 0;
}
