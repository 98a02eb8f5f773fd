//===- WgmmaKernel.h - Kernels of one wgmma ---------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_UNITTESTS_EMULATOR_WGMMAKERNEL_H
#define PARABLOCK_UNITTESTS_EMULATOR_WGMMAKERNEL_H

#include "TestDevice.h"

namespace parablock::unittest {

/// One wgmma of a warpgroup on operands that the host has laid out.
struct WgmmaCase {
  unsigned columns = 64;
  bool isF16 = false;
  /// Bytes of the swizzle, 0 for none.
  unsigned span = 128;
  bool transposeA = false, transposeB = false;
  bool inRegisters = false;
  int scaleD = 1, scaleA = 1, scaleB = 1;
};

inline void PrintTo(const WgmmaCase &test, std::ostream *os) {
  *os << "n" << test.columns << (test.isF16 ? " f16" : " bf16") << " span "
      << test.span << (test.transposeA ? " A^T" : "")
      << (test.transposeB ? " B^T" : "")
      << (test.inRegisters ? " registers" : "") << " scales " << test.scaleD
      << " " << test.scaleA << " " << test.scaleB;
}

static constexpr unsigned wgmmaImageBytes = 40960;

/// "$0,$1,...".
inline std::string listOperands(unsigned first, unsigned count) {
  std::string text;
  for (unsigned i = 0; i < count; ++i)
    text += (i == 0 ? "$" : ",$") + llvm::utostr(first + i);
  return text;
}

/// The call of inline assembly that gives %d from %c0..., %a (a descriptor)
/// or %a0..%a3, and %b.
inline std::string makeWgmmaCall(const WgmmaCase &test) {
  unsigned count = test.columns / 2;
  std::string floats, constraints, operands, regular;
  for (unsigned i = 0; i < count; ++i) {
    floats += i == 0 ? "float" : ", float";
    constraints += i == 0 ? "=f" : ",=f";
    operands += (i == 0 ? "float %c" : ", float %c") + llvm::utostr(i);
    regular += "," + llvm::utostr(i);
  }
  std::string type = test.isF16 ? "f16" : "bf16";
  std::string mnemonic = "wgmma.mma_async.sync.aligned.m64n" +
                         llvm::utostr(test.columns) + "k16.f32." + type + "." +
                         type + " {" + listOperands(0, count) + "}, ";
  std::string text;
  if (test.inRegisters) {
    // All inputs but the tied accumulators, which come last.
    text = mnemonic + "{" + listOperands(count, 4) + "}, $" +
           llvm::utostr(count + 4) + ", " + llvm::itostr(test.scaleD) + ", " +
           llvm::itostr(test.scaleA) + ", " + llvm::itostr(test.scaleB) + ", " +
           llvm::utostr(test.transposeB) + ";";
    constraints += ",r,r,r,r,l" + regular;
    operands = "i32 %a0, i32 %a1, i32 %a2, i32 %a3, i64 %b, " + operands;
  } else {
    // The tied accumulators come first, the immediates are operands.
    std::string n[7];
    for (unsigned i = 0; i < 7; ++i)
      n[i] = "$" + llvm::utostr(2 * count + i);
    text = "{\\0A.reg .pred p;\\0Asetp.ne.b32 p, " + n[2] + ", 0;\\0A" +
           mnemonic + n[0] + ", " + n[1] + ", p, " + n[3] + ", " + n[4] + ", " +
           n[5] + ", " + n[6] + ";\\0A}";
    constraints += regular + ",l,l,n,n,n,n,n";
    operands += ", i64 %a, i64 %b, i32 " + llvm::itostr(test.scaleD) +
                ", i32 " + llvm::itostr(test.scaleA) + ", i32 " +
                llvm::itostr(test.scaleB) + ", i32 " +
                llvm::utostr(test.transposeA) + ", i32 " +
                llvm::utostr(test.transposeB);
  }
  return "  %d = call {" + floats + "} asm sideeffect \"" + text + "\", \"" +
         constraints + "\"(" + operands + ")\n";
}

/// Parameters: the image of shared memory, the descriptors of A and B without
/// addresses and where they begin, A's registers, accumulators in and out.
inline std::string makeWgmmaKernel(const WgmmaCase &test) {
  unsigned count = test.columns / 2;
  std::string body =
      "  br label %fill\n"
      "fill:\n"
      "  %i = phi i32 [%tid, %0], [%next, %fill]\n"
      "  %o = shl i32 %i, 4\n"
      "  %src = getelementptr i8, ptr addrspace(1) %image, i32 %o\n"
      "  %dst = getelementptr i8, ptr addrspace(3) @dyn, i32 %o\n"
      "  %v = load <4 x i32>, ptr addrspace(1) %src, align 16\n"
      "  store <4 x i32> %v, ptr addrspace(3) %dst, align 16\n"
      "  %next = add i32 %i, 128\n"
      "  %more = icmp ult i32 %next, " +
      llvm::utostr(wgmmaImageBytes / 16) +
      "\n"
      "  br i1 %more, label %fill, label %filled\n"
      "filled:\n"
      "  call void @llvm.nvvm.fence.proxy.async.shared_cta()\n"
      "  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)\n"
      "  %base = ptrtoint ptr addrspace(3) @dyn to i64\n"
      "  %window = and i64 %base, 262143\n"
      "  %unit = lshr i64 %window, 4\n"
      "  %a = add i64 %unit, %descA\n"
      "  %b = add i64 %unit, %descB\n"
      "  %cbase = mul i32 %tid, " +
      llvm::utostr(count) + "\n  %abase = mul i32 %tid, 4\n";
  auto load = [&](std::string name, const char *from, const char *base,
                  const char *type, unsigned i) {
    body += "  %" + name + "i = add i32 %" + base + ", " + llvm::utostr(i) +
            "\n  %" + name + "p = getelementptr i32, ptr addrspace(1) %" +
            from + ", i32 %" + name + "i\n  %" + name + " = load " + type +
            ", ptr addrspace(1) %" + name + "p, align 4\n";
  };
  for (unsigned i = 0; i < 4 && test.inRegisters; ++i)
    load("a" + llvm::utostr(i), "regs", "abase", "i32", i);
  for (unsigned i = 0; i < count; ++i)
    load("c" + llvm::utostr(i), "in", "cbase", "float", i);
  body += "  call void @llvm.nvvm.wgmma.fence.sync.aligned()\n" +
          makeWgmmaCall(test) +
          "  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()\n"
          "  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)\n";
  std::string floats = "{float";
  for (unsigned i = 1; i < count; ++i)
    floats += ", float";
  floats += "}";
  for (unsigned i = 0; i < count; ++i) {
    std::string n = llvm::utostr(i);
    body += "  %d" + n + " = extractvalue " + floats + " %d, " + n + "\n  %q" +
            n + " = getelementptr float, ptr addrspace(1) %out, i32 %c" + n +
            "i\n  store float %d" + n + ", ptr addrspace(1) %q" + n + "\n";
  }
  return makeKernel("ptr addrspace(1) %image, i64 %descA, i64 %descB, "
                    "ptr addrspace(1) %regs, ptr addrspace(1) %in, "
                    "ptr addrspace(1) %out",
                    body);
}

} // namespace parablock::unittest

#endif // PARABLOCK_UNITTESTS_EMULATOR_WGMMAKERNEL_H
