//===- AssemblerLogTest.cpp - what ptxas prints, read ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Check.h"
#include "parablock/Target/MachineCode/Assembler.h"

using namespace parablock;

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

static void testTwoKernels() {
  AssemblerReport report = parseAssemblerLog(twoKernels);
  CHECK_EQUAL("one warning", report.warnings.size(), 1u);
  CHECK("the warning is the line", llvm::StringRef(report.warnings.front())
                                       .starts_with("ptxas info    : (C7510)"));
  if (!CHECK_EQUAL("two kernels", report.kernels.size(), 2u))
    return;
  const KernelResources &gemm = report.kernels[0];
  CHECK_EQUAL("name", gemm.name, "gemm");
  CHECK_EQUAL("registers", gemm.registers, 168u);
  CHECK_EQUAL("barriers", gemm.barriers, 16u);
  CHECK_EQUAL("stack", gemm.stackBytes, 32u);
  CHECK_EQUAL("spill stores", gemm.spillStoreBytes, 184u);
  CHECK_EQUAL("spill loads", gemm.spillLoadBytes, 188u);
  CHECK_EQUAL("static shared", gemm.staticSharedBytes, 1025u);
  const KernelResources &norm = report.kernels[1];
  CHECK_EQUAL("second name", norm.name, "norm");
  CHECK_EQUAL("second registers", norm.registers, 24u);
  CHECK_EQUAL("second shared", norm.staticSharedBytes, 0u);
  CHECK_EQUAL("second spills", norm.spillStoreBytes, 0u);
}

static void testOtherText() {
  AssemblerReport report = parseAssemblerLog(
      "ptxas warning : (C12) something\n(Cabcd)\n    7 bytes spill stores\n"
      "(C7517)");
  CHECK_EQUAL("numbers have four digits", report.warnings.size(), 1u);
  CHECK("no kernel before its name", report.kernels.empty());
  CHECK("an empty log", parseAssemblerLog("").kernels.empty());
}

int main() {
  testTwoKernels();
  testOtherText();
  return unittest::finish();
}
