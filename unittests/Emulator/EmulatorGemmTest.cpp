//===- EmulatorGemmTest.cpp - Whole kernels against double ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "GemmRun.h"

using namespace parablock;
using namespace parablock::unittest;
using llvm::Twine;

/// Half a unit of bf16, and what tanh.approx adds in the epilogue.
static constexpr double limit = 0.0045, epilogueLimit = 0.006;

static void checkOutcome(const Twine &name, const GemmOutcome &outcome,
                         double errorLimit) {
  checkClean((name + ": no reports").str(), outcome.result);
  CHECK_EQUAL(name + ": everything is written", outcome.numUnwritten,
              uint64_t(0));
  record(outcome.error < errorLimit, name + ": against double", __FILE__,
         __LINE__, "largest error " + std::to_string(outcome.error));
}

static void testGemm80() {
  std::string text = readInput("gemm_sm80.ll");
  GemmRun tile({128, 128, 64});
  GemmOutcome outcome = runGemm80(tile, text);
  checkOutcome("sm_80 tile", outcome, limit);
  // 8 warps, 2 steps of 2 depths, 4 x 4 instructions, 32 lanes.
  CHECK_EQUAL("number of mma.sync",
              outcome.result.opCounts["llvm.nvvm.mma.m16n8k16.row.col.bf16"],
              uint64_t(8 * 4 * 16 * 32));

  GemmRun gemm({256, 256, 160});
  EmulatorOptions options;
  options.hostThreads = 1;
  outcome = runGemm80(gemm, text, options);
  checkOutcome("sm_80 grid", outcome, limit);
  options.hostThreads = 4;
  GemmOutcome other = runGemm80(gemm, text, options);
  checkOutcome("sm_80 on four host threads", other, limit);
  CHECK("host threads do not change a bit", other.c == outcome.c);
  options.checks = false;
  other = runGemm80(gemm, text, options);
  checkOutcome("sm_80 without checks", other, limit);
  CHECK("checks do not change a bit", other.c == outcome.c);
}

static void testGemm90(const char *input, uint32_t clusterSize) {
  std::string text = readInput(input), name = input;
  GemmRun gemm({256, 128, 320, true});
  EmulatorOptions options;
  options.hostThreads = 1;
  GemmOutcome outcome = runGemm90(gemm, text, clusterSize, options);
  checkOutcome(name, outcome, epilogueLimit);
  // 4 tiles, 2 warpgroups, 5 depths of 64, 4 steps, 128 threads.
  CHECK_EQUAL(name + ": number of wgmma",
              outcome.result.opCounts["asm:wgmma.mma_async"],
              uint64_t(4 * 2 * 5 * 4 * 128));
  for (uint64_t seed : {1, 2, 3}) {
    options.scheduleSeed = seed;
    GemmOutcome other = runGemm90(gemm, text, clusterSize, options);
    checkOutcome(name + " in order " + Twine(seed), other, epilogueLimit);
    CHECK(name + ": the order does not change a bit", other.c == outcome.c);
  }
  options = {};
  options.checks = false;
  checkOutcome(name + " without checks",
               runGemm90(gemm, text, clusterSize, options), epilogueLimit);
}

int main() {
  testGemm80();
  testGemm90("gemm_sm90.ll", 1);
  testGemm90("gemm_sm90_cluster.ll", 2);
  return finish();
}
