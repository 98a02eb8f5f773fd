//===- LaunchFlags.h - the command line of block-launch ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_TOOLS_BLOCK_LAUNCH_LAUNCHFLAGS_H
#define PARABLOCK_TOOLS_BLOCK_LAUNCH_LAUNCHFLAGS_H

#include "parablock/Launch/LaunchPlan.h"

struct LaunchFlags {
  std::string package, inputs, weights, outputs, json, chip;
  parablock::PlanDims dims;
  int device = 0;
  unsigned repeat = 1;
  bool graph = true, programmatic = true, help = false;
};

extern const char launchUsage[];

parablock::launch::Status parseLaunchFlags(int argc, char **argv,
                                           LaunchFlags &flags);

#endif // PARABLOCK_TOOLS_BLOCK_LAUNCH_LAUNCHFLAGS_H
