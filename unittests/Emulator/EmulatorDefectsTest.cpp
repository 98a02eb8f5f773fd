//===- EmulatorDefectsTest.cpp - Kernels made wrong -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Each test takes a kernel that runs without a report, changes one thing in its
// text, and requires the report that this deserves.
//
//===----------------------------------------------------------------------===//

#include "GemmRun.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace parablock;
using namespace parablock::unittest;
using llvm::StringRef;
using llvm::Twine;

namespace {
struct Defect {
  const char *name;
  std::string text;
  ReportKind kind;
  const char *op;
  const char *message;
};
} // namespace

TEST(EmulatorDefectsTest, DefectsOfAnSm80GemmAreReported) {
  std::string text = readInput("gemm_sm80.ll");
  GemmRun gemm({128, 128, 160});
  const char *waitForStage = "cp.async.wait.group(i32 1)";
  const char *firstCopy = "cp.async.cg.shared.global.16(ptr addrspace(3) %30";
  const Defect defects[] = {
      {"no wait for a stage", dropLine(text, waitForStage),
       ReportKind::MissingWait, "ldmatrix", "has been waited for: thread"},
      {"wait one group too late",
       replaceIn(text, waitForStage, "cp.async.wait.group(i32 2)"),
       ReportKind::MissingWait, "ldmatrix", "cp.async.cg"},
      {"no commit", dropLine(text, "cp.async.commit.group", 2),
       ReportKind::MissingWait, "ldmatrix", "cp.async.cg"},
      {"no barrier", dropLine(text, "barrier.cta.sync.aligned.all"),
       ReportKind::MissingWait, "ldmatrix", "cp.async.cg"},
      {"no copy", dropLine(text, firstCopy), ReportKind::UninitializedRead,
       "ldmatrix", "nothing has written shared memory + "},
      {"copy to the wrong stage",
       replaceIn(text, "add i32 %143, 2", "add i32 %143, 0"), ReportKind::Race,
       "cp.async.cg", "read by"},
      {"no wait at all",
       dropLine(dropLine(text, waitForStage), "cp.async.wait.group(i32 0)"),
       ReportKind::UnfinishedCopy, "cp.async.cg", "has not been waited for"},
      {"misaligned copy",
       replaceIn(replaceIn(text, firstCopy,
                           "cp.async.cg.shared.global.16(ptr addrspace(3) "
                           "%odd"),
                 "  call void @llvm.nvvm.cp.async.cg",
                 "  %odd = getelementptr i8, ptr addrspace(3) %30, i32 8\n"
                 "  call void @llvm.nvvm.cp.async.cg"),
       ReportKind::Misaligned, "cp.async.cg", "no multiple of 16"},
  };
  EXPECT_THAT(runGemm80(gemm, text).result, IsClean()) << "sm_80 as it is";
  for (const Defect &defect : defects)
    EXPECT_THAT(runGemm80(gemm, defect.text).result,
                Reports(defect.kind, defect.op, defect.message))
        << ("sm_80: " + Twine(defect.name)).str();

  // A launch that says more than there is, and one on what is gone.
  gemm.launchedDepth = 192;
  EXPECT_THAT(runGemm80(gemm, text).result,
              Reports(ReportKind::OutOfBounds, "cp.async.cg", "'B' + "))
      << "sm_80: operands are too small";
  gemm.launchedDepth.reset();
  llvm::cantFail(gemm.device.memory->release(gemm.addressA));
  EXPECT_THAT(runGemm80(gemm, text).result,
              Reports(ReportKind::OutOfBounds, "cp.async.cg", "(released)"))
      << "sm_80: A is released";
}

/// Leaves out an instruction with a result of type i64.
static std::string replaceArrival(StringRef text, unsigned number) {
  std::string name = ("  %" + Twine(number) + " = call i64 @llvm.nvvm.").str();
  return replaceIn(text, name,
                   ("  %" + Twine(number) + " = add i64 0, 0 ;").str());
}

TEST(EmulatorDefectsTest, DefectsOfAnSm90GemmAreReported) {
  std::string text = readInput("gemm_sm90.ll");
  GemmRun gemm({256, 128, 320, true});
  const Defect defects[] = {
      {"no wait for the last wgmma",
       dropLine(text, "wgmma.wait_group.sync.aligned(i64 0)"),
       ReportKind::MissingWait, "", "accumulators are read before the wgmma"},
      {"no wait in the loop",
       dropLine(text, "wgmma.wait_group.sync.aligned(i64 1)"),
       ReportKind::MissingWait, "cp.async.bulk.tensor.g2s",
       "the read by wgmma of warpgroup"},
      {"wait in the loop one group too late",
       replaceIn(text, "wgmma.wait_group.sync.aligned(i64 1)",
                 "wgmma.wait_group.sync.aligned(i64 2)"),
       ReportKind::MissingWait, "cp.async.bulk.tensor.g2s",
       "the read by wgmma of warpgroup"},
      {"no commit", dropLine(text, "wgmma.commit_group", 1),
       ReportKind::MissingWait, "", "wgmma"},
      {"no wgmma.fence", dropLine(text, "wgmma.fence.sync.aligned"),
       ReportKind::MissingFence, "wgmma", "no wgmma.fence"},
      {"no wait for a full stage",
       dropLine(text, "mbarrier.try_wait.parity", 1), ReportKind::MissingWait,
       "wgmma", "cp.async.bulk.tensor.g2s"},
      {"no wait for an empty stage",
       dropLine(text, "mbarrier.try_wait.parity", 0), ReportKind::MissingWait,
       "cp.async.bulk.tensor.g2s", ""},
      {"wrong parity of the empty stages",
       replaceIn(text, "%30 = phi i32 [ %40, %61 ], [ 1, %26 ]",
                 "%30 = phi i32 [ %40, %61 ], [ 0, %26 ]"),
       ReportKind::Deadlock, "mbarrier.try_wait",
       "parity 0 of the mbarrier at shared memory + 73752"},
      {"wrong parity of the full stages",
       replaceIn(text, "%77 = phi i32 [ %209, %841 ], [ 0, %66 ]",
                 "%77 = phi i32 [ %209, %841 ], [ 1, %66 ]"),
       ReportKind::MissingWait, "wgmma", ""},
      {"too many bytes expected", replaceIn(text, "i32 24576", "i32 24592"),
       ReportKind::Deadlock, "mbarrier.try_wait", "and 16 bytes"},
      {"too few bytes expected", replaceIn(text, "i32 24576", "i32 16384"),
       ReportKind::MissingWait, "wgmma", "cp.async.bulk.tensor.g2s"},
      {"stage never given back", replaceArrival(text, 368),
       ReportKind::Deadlock, "mbarrier.try_wait", "lacks 2 of 2 arrivals"},
      {"count of one consumer only",
       replaceIn(text, "i64 73752), i32 2)", "i64 73752), i32 1)"),
       ReportKind::MissingWait, "cp.async.bulk.tensor.g2s", "wgmma"},
      {"no fence of the barriers", dropLine(text, "fence.mbarrier_init"),
       ReportKind::MissingFence, "cp.async.bulk.tensor.g2s",
       "no fence.mbarrier_init"},
      {"no barrier after their initialisation",
       dropLine(text, "barrier.cta.sync.aligned.all"), ReportKind::Race,
       "mbarrier", "initialisation"},
      {"no proxy fence", dropLine(text, "fence.proxy.async.shared_cta"),
       ReportKind::MissingProxyFence, "cp.async.bulk.tensor.s2g",
       "no fence.proxy.async"},
      {"no barrier before the store",
       dropLine(text, "barrier.cta.sync.aligned.count", 1), ReportKind::Race,
       "cp.async.bulk.tensor.s2g", "stmatrix"},
      {"no wait for the store to read",
       dropLine(text, "cp.async.bulk.wait.group.read"), ReportKind::MissingWait,
       "stmatrix", "a bulk copy from shared memory"},
      {"no barrier before the staging buffer is used again",
       dropLine(text, "barrier.cta.sync.aligned.count", 0),
       ReportKind::MissingWait, "stmatrix", ""},
      {"no commit of the store", dropLine(text, "cp.async.bulk.commit.group"),
       ReportKind::UnfinishedCopy, "cp.async.bulk.tensor.s2g", "in no group"},
      {"no wait at the end", dropLine(text, "cp.async.bulk.wait.group(i32 0)"),
       ReportKind::UnfinishedCopy, "cp.async.bulk.tensor.s2g",
       "has not been waited for"},
      {"misaligned box",
       replaceIn(replaceIn(text, "g2s.tile.2d(ptr addrspace(7) %53",
                           "g2s.tile.2d(ptr addrspace(7) %odd"),
                 "  call void @llvm.nvvm.cp.async.bulk.tensor.g2s",
                 "  %odd = getelementptr i8, ptr addrspace(7) %53, i32 16\n"
                 "  call void @llvm.nvvm.cp.async.bulk.tensor.g2s"),
       ReportKind::Misaligned, "cp.async.bulk.tensor.g2s",
       "no multiple of 128"},
      {"box past shared memory",
       replaceIn(replaceIn(text, "g2s.tile.2d(ptr addrspace(7) %53",
                           "g2s.tile.2d(ptr addrspace(7) %far"),
                 "  call void @llvm.nvvm.cp.async.bulk.tensor.g2s",
                 "  %far = getelementptr i8, ptr addrspace(7) %53, i32 90112\n"
                 "  call void @llvm.nvvm.cp.async.bulk.tensor.g2s"),
       ReportKind::OutOfBounds, "cp.async.bulk.tensor.g2s", ""},
      {"register count", replaceIn(text, "u32(i32 232)", "u32(i32 248)"),
       ReportKind::BadOperand, "launch", "registers"},
  };
  EXPECT_THAT(runGemm90(gemm, text).result, IsClean()) << "sm_90 as it is";
  for (const Defect &defect : defects)
    EXPECT_THAT(runGemm90(gemm, defect.text).result,
                Reports(defect.kind, defect.op, defect.message))
        << ("sm_90: " + Twine(defect.name)).str();

  // What no check can see: a tile that nobody writes shows in the output.
  GemmOutcome outcome =
      runGemm90(gemm, dropLine(text, "cp.async.bulk.tensor.s2g.tile.2d(ptr"));
  EXPECT_EQ(outcome.numUnwritten, uint64_t(2 * 256 * 128))
      << "sm_90: no store leaves the output unwritten";
}

TEST(EmulatorDefectsTest, DefectsOfAClusterGemmAreReported) {
  std::string text = readInput("gemm_sm90_cluster.ll");
  GemmRun gemm({256, 128, 320, true});
  const Defect defects[] = {
      {"half of the cluster gets the tile", replaceIn(text, "i16 3", "i16 1"),
       ReportKind::Deadlock, "mbarrier.try_wait", ""},
      {"CTA that does not exist", replaceIn(text, "i16 3", "i16 7"),
       ReportKind::BadOperand, "cp.async.bulk.tensor.g2s", "CTA mask 7"},
      {"no cluster barrier at the start",
       dropLine(dropLine(text, "barrier.cluster.wait"),
                "barrier.cluster.arrive"),
       ReportKind::Race, "mbarrier", "initialisation"},
      {"stage given back to one CTA only",
       dropLine(text, "mapa.shared::cluster"), ReportKind::Deadlock,
       "mbarrier.try_wait", "arrivals"},
  };
  EXPECT_THAT(runGemm90(gemm, text, 2).result, IsClean()) << "cluster as it is";
  for (const Defect &defect : defects)
    EXPECT_THAT(runGemm90(gemm, defect.text, 2).result,
                Reports(defect.kind, defect.op, defect.message))
        << ("cluster: " + Twine(defect.name)).str();
}
