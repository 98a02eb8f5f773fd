//===- LaunchFlags.h - flags of block-launch --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_TOOLS_BLOCK_LAUNCH_LAUNCHFLAGS_H
#define PARABLOCK_TOOLS_BLOCK_LAUNCH_LAUNCHFLAGS_H

#include "parablock/Engines/Launch/LaunchPlan.h"

struct LaunchFlags {
  std::string package, inputs, weights, outputs, json, chip, meet, sha256;
  parablock::PlanDims dims;
  /// Below 0: the one that the launcher of ranks gives this process, or 0.
  int device = -1;
  /// 0 ranks: the number from the launcher of ranks, or one.
  unsigned rank = 0, ranks = 0, rankTimeout = 120;
  unsigned repeat = 1;
  bool graph = true, programmatic = true, help = false, version = false;
  bool verify = false;
};

extern const char launchUsage[];
extern const char launchVersion[];

parablock::launch::Status parseLaunchFlags(int argc, char **argv,
                                           LaunchFlags &flags);

/// Completes the flags from the environment of mpirun, srun or torchrun, and
/// checks that they are consistent.
parablock::launch::Status completeRanks(LaunchFlags &flags);

#endif // PARABLOCK_TOOLS_BLOCK_LAUNCH_LAUNCHFLAGS_H
