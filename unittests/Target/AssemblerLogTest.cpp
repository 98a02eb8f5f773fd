//===- AssemblerLogTest.cpp - what ptxas prints, read ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Target/MachineCode/Assembler.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace parablock;
using testing::StartsWith;

/// Two kernels, the first with a function that it calls.
static constexpr llvm::StringLiteral twoKernels =
    "ptxas info    : (C7510) Potential Performance Loss: wgmma.mma_async "
    "instructions are serialized due to insufficient register resources for "
    "the wgmma pipeline in the function 'gemm'\n"
    "ptxas info    : 0 bytes gmem\n"
    "ptxas info    : Compiling entry function 'gemm' for 'sm_90a'\n"
    "ptxas info    : Function properties for helper\n"
    "    64 bytes stack frame, 12 bytes spill stores, 16 bytes spill loads\n"
    "ptxas info    : Function properties for gemm\n"
    "    32 bytes stack frame, 184 bytes spill stores, 188 bytes spill loads\n"
    "ptxas info    : Used 168 registers, used 16 barriers, 32 bytes cumulative "
    "stack size, 1025 bytes smem, 384 bytes cmem[0]\n"
    "ptxas info    : Compile time = 163.277 ms\n"
    "ptxas info    : Compiling entry function 'norm' for 'sm_90a'\n"
    "ptxas info    : Function properties for norm\n"
    "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
    "ptxas info    : Used 24 registers\n";

TEST(AssemblerLogTest, ReadsTheResourcesOfEachKernel) {
  AssemblerReport report = parseAssemblerLog(twoKernels);
  EXPECT_EQ(report.warnings.size(), 1u) << "one warning";
  EXPECT_THAT(report.warnings.front(), StartsWith("ptxas info    : (C7510)"))
      << "the warning is the line";
  ASSERT_EQ(report.kernels.size(), 2u) << "two kernels";
  const KernelResources &gemm = report.kernels[0];
  EXPECT_EQ(gemm.name, "gemm") << "name";
  EXPECT_EQ(gemm.registers, 168u) << "registers";
  EXPECT_EQ(gemm.barriers, 16u) << "barriers";
  EXPECT_EQ(gemm.stackBytes, 32u) << "stack";
  EXPECT_EQ(gemm.spillStoreBytes, 184u) << "spill stores";
  EXPECT_EQ(gemm.spillLoadBytes, 188u) << "spill loads";
  EXPECT_EQ(gemm.staticSharedBytes, 1025u) << "static shared";
  const KernelResources &norm = report.kernels[1];
  EXPECT_EQ(norm.name, "norm") << "second name";
  EXPECT_EQ(norm.registers, 24u) << "second registers";
  EXPECT_EQ(norm.staticSharedBytes, 0u) << "second shared";
  EXPECT_EQ(norm.spillStoreBytes, 0u) << "second spills";
}

TEST(AssemblerLogTest, IgnoresOtherText) {
  AssemblerReport report = parseAssemblerLog(
      "ptxas warning : (C12) something\n(Cabcd)\n    7 bytes spill stores\n"
      "(C7517)");
  EXPECT_EQ(report.warnings.size(), 1u) << "numbers have four digits";
  EXPECT_TRUE(report.kernels.empty()) << "no kernel before its name";
  EXPECT_TRUE(parseAssemblerLog("").kernels.empty()) << "an empty log";
}
