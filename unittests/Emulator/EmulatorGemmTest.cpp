//===- EmulatorGemmTest.cpp - Whole kernels against double ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "GemmRun.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace parablock;
using namespace parablock::unittest;
using llvm::Twine;

/// Half a unit of bf16, and what tanh.approx adds in the epilogue.
static constexpr double limit = 0.0045, epilogueLimit = 0.006;

static void checkOutcome(const Twine &name, const GemmOutcome &outcome,
                         double errorLimit) {
  SCOPED_TRACE(name.str());
  EXPECT_THAT(outcome.result, IsClean());
  EXPECT_EQ(outcome.numUnwritten, 0u) << "everything is written";
  EXPECT_LT(outcome.error, errorLimit) << "against double";
}

TEST(EmulatorGemmTest, RunsAnSm80Gemm) {
  std::string text = readInput("gemm_sm80.ll");
  GemmRun tile({128, 128, 64});
  GemmOutcome outcome = runGemm80(tile, text);
  checkOutcome("sm_80 tile", outcome, limit);
  // 8 warps, 2 steps of 2 depths, 4 x 4 instructions, 32 lanes.
  EXPECT_EQ(outcome.result.opCounts["llvm.nvvm.mma.m16n8k16.row.col.bf16"],
            uint64_t(8 * 4 * 16 * 32))
      << "number of mma.sync";

  GemmRun gemm({256, 256, 160});
  EmulatorOptions options;
  options.hostThreads = 1;
  outcome = runGemm80(gemm, text, options);
  checkOutcome("sm_80 grid", outcome, limit);
  options.hostThreads = 4;
  GemmOutcome other = runGemm80(gemm, text, options);
  checkOutcome("sm_80 on four host threads", other, limit);
  EXPECT_EQ(other.c, outcome.c) << "host threads do not change a bit";
  options.checks = false;
  other = runGemm80(gemm, text, options);
  checkOutcome("sm_80 without checks", other, limit);
  EXPECT_EQ(other.c, outcome.c) << "checks do not change a bit";
}

static void checkGemm90(const char *input, uint32_t clusterSize) {
  std::string text = readInput(input), name = input;
  GemmRun gemm({256, 128, 320, true});
  EmulatorOptions options;
  options.hostThreads = 1;
  GemmOutcome outcome = runGemm90(gemm, text, clusterSize, options);
  checkOutcome(name, outcome, epilogueLimit);
  // 4 tiles, 2 warpgroups, 5 depths of 64, 4 steps, 128 threads.
  EXPECT_EQ(outcome.result.opCounts["asm:wgmma.mma_async"],
            uint64_t(4 * 2 * 5 * 4 * 128))
      << (name + ": number of wgmma");
  for (uint64_t seed : {1, 2, 3}) {
    options.scheduleSeed = seed;
    GemmOutcome other = runGemm90(gemm, text, clusterSize, options);
    checkOutcome(name + " in order " + Twine(seed), other, epilogueLimit);
    EXPECT_EQ(other.c, outcome.c)
        << (name + ": the order does not change a bit");
  }
  options = {};
  options.checks = false;
  checkOutcome(name + " without checks",
               runGemm90(gemm, text, clusterSize, options), epilogueLimit);
}

TEST(EmulatorGemmTest, RunsAnSm90Gemm) { checkGemm90("gemm_sm90.ll", 1); }

TEST(EmulatorGemmTest, RunsAClusterGemm) {
  checkGemm90("gemm_sm90_cluster.ll", 2);
}
