//===- EmulatorAtomicsTest.cpp - Atomics, fences, races in memory ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "TestDevice.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace parablock;
using namespace parablock::unittest;
using llvm::Twine;

static const char *parameters =
    "ptr addrspace(1) %data, ptr addrspace(1) %flag";

namespace {
struct AtomicsRun {
  LaunchResult result;
  std::vector<uint32_t> data;
  uint32_t flag = 0;
};
} // namespace

/// 64 words of data that nothing has written, and a flag of 0.
static AtomicsRun runCtas(const Twine &body, uint32_t ctas, uint32_t threads,
                          EmulatorOptions options = {}) {
  TestDevice device;
  auto *data = device.makeRoom<uint32_t>(64, "data");
  auto *flag = device.put(std::vector<uint32_t>(1), "flag");
  LaunchConfig config = oneCta(threads);
  config.grid.x = ctas;
  AtomicsRun outcome;
  outcome.result =
      run(device,
          makeKernel(parameters,
                     "  %cta = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()\n"
                     "  %mine = getelementptr i32, ptr addrspace(1) %data, i32 "
                     "%tid\n"
                     "  %isFirst = icmp eq i32 %cta, 0\n" +
                         body),
          "k", config, {KernelArgument::of(data), KernelArgument::of(flag)},
          options);
  outcome.data = device.get(data, 64);
  outcome.flag = device.get(flag, 1)[0];
  return outcome;
}

TEST(EmulatorAtomicsTest, UpdatesAreAtomic) {
  AtomicsRun sum =
      runCtas("  %old = atomicrmw add ptr addrspace(1) %flag, i32 1 "
              "syncscope(\"device\") monotonic\n",
              7, 64);
  EXPECT_THAT(sum.result, IsClean()) << "atomic additions";
  EXPECT_EQ(sum.flag, 7u * 64) << "sum of all CTAs";
  AtomicsRun swap = runCtas(
      "  br label %again\n"
      "again:\n"
      "  %seen = load atomic i32, ptr addrspace(1) %flag monotonic, align 4\n"
      "  %new = add i32 %seen, 3\n"
      "  %pair = cmpxchg ptr addrspace(1) %flag, i32 %seen, i32 %new "
      "monotonic monotonic\n"
      "  %ok = extractvalue {i32, i1} %pair, 1\n"
      "  br i1 %ok, label %done, label %again\n"
      "done:\n",
      3, 32);
  EXPECT_THAT(swap.result, IsClean()) << "compare and swap";
  EXPECT_EQ(swap.flag, 3u * 3 * 32) << "sum by compare and swap";
  EXPECT_THAT(runCtas("  %old = atomicrmw add ptr addrspace(1) %flag, i32 1 "
                      "monotonic\n"
                      "  %v = load i32, ptr addrspace(1) %flag\n",
                      1, 64)
                  .result,
              Reports(ReportKind::Race, "", "'flag' + 0"))
      << "atomic and plain accesses";
}

/// The last CTA waits for the first to publish what it wrote; `consumerFirst`
/// turns their order around.
static std::string handOver(llvm::StringRef storeOrder,
                            llvm::StringRef loadOrder, llvm::StringRef fences,
                            bool consumerFirst) {
  std::string producer =
      "produce:\n"
      "  store i32 %tid, ptr addrspace(1) %mine\n"
      "  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)\n"
      "  %isZero = icmp eq i32 %tid, 0\n"
      "  br i1 %isZero, label %publish, label %done\n"
      "publish:\n" +
      fences.str() + "  store atomic i32 1, ptr addrspace(1) %flag " +
      storeOrder.str() +
      ", align 4\n"
      "  br label %done\n";
  std::string consumer =
      "consume:\n"
      "  %f = load atomic i32, ptr addrspace(1) %flag " +
      loadOrder.str() +
      ", align 4\n"
      "  %go = icmp eq i32 %f, 1\n"
      "  br i1 %go, label %use, label %consume\n"
      "use:\n" +
      fences.str() +
      "  %v = load i32, ptr addrspace(1) %mine\n"
      "  %twice = mul i32 %v, 2\n"
      "  %up = add i32 %tid, 32\n"
      "  %r = getelementptr i32, ptr addrspace(1) %data, i32 %up\n"
      "  store i32 %twice, ptr addrspace(1) %r\n"
      "  br label %done\n";
  return std::string("  br i1 %isFirst, label %") +
         (consumerFirst ? "consume, label %produce\n"
                        : "produce, label %consume\n") +
         producer + consumer + "done:\n";
}

TEST(EmulatorAtomicsTest, HandOversNeedOrder) {
  for (bool consumerFirst : {false, true}) {
    std::string which = consumerFirst ? " backwards" : " forwards";
    AtomicsRun outcome =
        runCtas(handOver("release", "acquire", "", consumerFirst), 2, 32);
    EXPECT_THAT(outcome.result, IsClean()) << ("release and acquire" + which);
    bool allRight = true;
    for (uint32_t i = 0; i < 32; ++i)
      allRight &= outcome.data[32 + i] == 2 * i;
    EXPECT_TRUE(allRight) << ("handed over" + which);
    EXPECT_THAT(runCtas(handOver("monotonic", "monotonic", "  fence acq_rel\n",
                                 consumerFirst),
                        2, 32)
                    .result,
                IsClean())
        << ("fences" + which);
    EXPECT_THAT(
        runCtas(handOver("monotonic", "monotonic",
                         "  call void @llvm.nvvm.membar.gl()\n", consumerFirst),
                2, 32)
            .result,
        IsClean())
        << ("membar" + which);
    for (const char *fence : {"  fence syncscope(\"block\") acq_rel\n",
                              "  call void @llvm.nvvm.membar.cta()\n"})
      EXPECT_THAT(
          runCtas(handOver("monotonic", "monotonic", fence, consumerFirst), 2,
                  32)
              .result,
          Reports(ReportKind::Race, "load", "cluster"))
          << ("a fence of the CTA alone" + which);
    EXPECT_THAT(
        runCtas(handOver("monotonic", "monotonic", "", consumerFirst), 2, 32)
            .result,
        Reports(ReportKind::Race, "load", "cluster"))
        << ("nothing orders the hand-over" + which);
  }
  // Without checks, waiting threads must let others run all the same.
  EmulatorOptions unchecked;
  unchecked.checks = false;
  AtomicsRun outcome =
      runCtas(handOver("release", "acquire", "", true), 2, 32, unchecked);
  EXPECT_EQ(outcome.data[63], 62u) << "hand-over without checks";
  EXPECT_THAT(runCtas(dropLine(handOver("release", "acquire", "", false),
                               "store atomic"),
                      2, 32)
                  .result,
              Reports(ReportKind::Deadlock, "load", "polling"))
      << "nobody publishes";
}

TEST(EmulatorAtomicsTest, RacesAreReported) {
  EmulatorOptions options;
  for (unsigned threads : {1u, 2u}) {
    options.hostThreads = threads;
    EXPECT_THAT(
        runCtas("  store i32 %cta, ptr addrspace(1) %mine\n", 8, 32, options)
            .result,
        Reports(ReportKind::Race, "store", "'data' + "))
        << "two CTAs write the same words";
    EXPECT_THAT(runCtas("  %o = mul i32 %cta, 8\n"
                        "  %i = add i32 %o, %tid\n"
                        "  %q = getelementptr i32, ptr addrspace(1) %data, i32 "
                        "%i\n"
                        "  store i32 %cta, ptr addrspace(1) %q\n",
                        8, 8, options)
                    .result,
                IsClean())
        << "CTAs write words of their own";
  }
  EXPECT_THAT(
      runCtas("  store i32 %tid, ptr addrspace(1) %data\n", 1, 64).result,
      Reports(ReportKind::Race, "store", "thread"))
      << "two warps write the same word";
  EXPECT_THAT(runCtas("  store i32 1, ptr addrspace(1) %data\n", 1, 32).result,
              IsClean())
      << "lanes of one instruction may";
  EXPECT_THAT(runCtas("  store i32 %tid, ptr addrspace(1) %mine\n"
                      "  %x = xor i32 %tid, 1\n"
                      "  %q = getelementptr i32, ptr addrspace(1) %data, i32 "
                      "%x\n"
                      "  %v = load i32, ptr addrspace(1) %q\n",
                      1, 32)
                  .result,
              Reports(ReportKind::Race, "", ""))
      << "the value of another lane without a barrier";
}

TEST(EmulatorAtomicsTest, BytesOfAWordMayHaveDifferentWriters) {
  // Different threads write the bytes of one word.
  TestDevice device;
  auto *out = device.makeRoom<uint8_t>(64, "bytes");
  EXPECT_THAT(run(device,
                  makeKernel("ptr addrspace(1) %out",
                             "  %p = getelementptr i8, ptr addrspace(1) %out, "
                             "i32 %tid\n"
                             "  %b = trunc i32 %tid to i8\n"
                             "  store i8 %b, ptr addrspace(1) %p\n"),
                  "k", oneCta(64), {KernelArgument::of(out)}),
              IsClean())
      << "bytes of one word";
  EXPECT_EQ(unsigned(device.get(out, 64)[63]), 63u) << "last byte";
}
