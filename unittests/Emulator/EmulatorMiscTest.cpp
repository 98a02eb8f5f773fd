//===- EmulatorMiscTest.cpp - Address spaces, memory intrinsics, control --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "TestDevice.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace parablock;
using namespace parablock::unittest;
using llvm::Twine;

/// Runs `body`, which computes the i32 %r, in one warp; the values of %r.
static std::vector<uint32_t> compute(llvm::StringRef name, const Twine &body,
                                     LaunchConfig config = oneCta(32, 1024)) {
  TestDevice device;
  auto *out = device.makeRoom<uint32_t>(32, "out");
  std::string kernel = makeKernel(
      "ptr addrspace(1) %out",
      body + "  %p = getelementptr i32, ptr addrspace(1) %out, i32 %tid\n"
             "  store i32 %r, ptr addrspace(1) %p\n");
  EXPECT_THAT(run(device, kernel, "k", config, {KernelArgument::of(out)}),
              IsClean())
      << name.str();
  return device.get(out, 32);
}

TEST(EmulatorMiscTest, PointersKnowTheirSpace) {
  auto isIn = [](llvm::StringRef space, const Twine &pointer) {
    return ("  %l = alloca i32\n"
            "  %s = addrspacecast ptr addrspace(3) @dyn to ptr\n"
            "  %g = addrspacecast ptr addrspace(1) %out to ptr\n"
            "  %b = call i1 @llvm.nvvm.isspacep." +
            space + "(ptr " + pointer + ")\n  %r = zext i1 %b to i32\n")
        .str();
  };
  const char *pointers[] = {"%l", "%s", "%g"};
  const char *spaces[] = {"local", "shared", "global"};
  for (unsigned i = 0; i < 3; ++i)
    for (unsigned j = 0; j < 3; ++j)
      EXPECT_EQ(compute("isspacep", isIn(spaces[j], pointers[i]))[0],
                uint32_t(i == j))
          << (Twine(pointers[i]) + " in " + spaces[j]).str();
  EXPECT_EQ(compute("getctarank",
                    "  %s = addrspacecast ptr addrspace(3) @dyn to ptr\n"
                    "  %r = call i32 @llvm.nvvm.getctarank(ptr %s)\n")[0],
            0u)
      << "own rank";
  // Shared addresses survive in 32 bits.
  EXPECT_EQ(compute("32 bits", "  %a = ptrtoint ptr addrspace(3) @dyn to i32\n"
                               "  %o = shl i32 %tid, 2\n"
                               "  %b = add i32 %a, %o\n"
                               "  %q = inttoptr i32 %b to ptr addrspace(3)\n"
                               "  store i32 %tid, ptr addrspace(3) %q\n"
                               "  %r = load i32, ptr addrspace(3) %q\n")[5],
            5u)
      << "32-bit shared address";
}

TEST(EmulatorMiscTest, LaneMasksFollowTheLane) {
  struct Mask {
    const char *name;
    uint32_t ofLane5;
  };
  for (Mask mask : {Mask{"eq", 0x20}, Mask{"lt", 0x1F}, Mask{"le", 0x3F},
                    Mask{"gt", 0xFFFFFFC0}, Mask{"ge", 0xFFFFFFE0}})
    EXPECT_EQ(compute("lanemask",
                      "  %r = call i32 @llvm.nvvm.read.ptx.sreg.lanemask." +
                          Twine(mask.name) + "()\n")[5],
              mask.ofLane5)
        << (Twine("lanemask.") + mask.name).str();
}

TEST(EmulatorMiscTest, ControlInstructionsDoNothing) {
  compute("nothing to see",
          "  call void @llvm.nvvm.griddepcontrol.wait()\n"
          "  call void @llvm.nvvm.griddepcontrol.launch.dependents()\n"
          "  call void @llvm.nvvm.nanosleep(i32 20)\n"
          "  call void @llvm.nvvm.prefetch.global.L2(ptr addrspace(1) %out)\n"
          "  %r = call i32 @llvm.nvvm.read.ptx.sreg.warpsize()\n");
  EXPECT_GT(compute("clock",
                    "  %a = call i32 @llvm.nvvm.read.ptx.sreg.clock()\n"
                    "  %b = call i32 @llvm.nvvm.read.ptx.sreg.clock()\n"
                    "  %r = sub i32 %b, %a\n")[0],
            0)
      << "clock grows";
  EXPECT_EQ(compute("dynamic_smem_size",
                    "  %r = call i32 @llvm.nvvm.read.ptx.sreg.dynamic_smem_"
                    "size()\n")[0],
            1024u)
      << "dynamic shared memory";
}

TEST(EmulatorMiscTest, ClusterRegistersNameTheCta) {
  TestDevice device;
  auto *out = device.makeRoom<uint32_t>(8, "out");
  LaunchConfig config = oneCta(1);
  config.grid.x = 8;
  config.cluster.x = 4;
  // Relaxed arrival and wait order nothing, but they do wait.
  std::string kernel = makeKernel(
      "ptr addrspace(1) %out",
      "  call void @llvm.nvvm.barrier.cluster.arrive.relaxed()\n"
      "  call void @llvm.nvvm.barrier.cluster.wait()\n"
      "  %cta = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()\n"
      "  %cid = call i32 @llvm.nvvm.read.ptx.sreg.clusterid.x()\n"
      "  %n = call i32 @llvm.nvvm.read.ptx.sreg.nclusterid.x()\n"
      "  %in = call i32 @llvm.nvvm.read.ptx.sreg.cluster.ctaid.x()\n"
      "  %size = call i32 @llvm.nvvm.read.ptx.sreg.cluster.nctaid.x()\n"
      "  %rank = call i32 @llvm.nvvm.read.ptx.sreg.cluster.ctarank()\n"
      "  %count = call i32 @llvm.nvvm.read.ptx.sreg.cluster.nctarank()\n"
      "  %explicit = call i1 @llvm.nvvm.is_explicit_cluster()\n"
      "  %e = zext i1 %explicit to i32\n"
      "  %a0 = mul i32 %cid, 10\n  %a1 = add i32 %a0, %n\n"
      "  %a2 = mul i32 %a1, 10\n  %a3 = add i32 %a2, %in\n"
      "  %a4 = mul i32 %a3, 10\n  %a5 = add i32 %a4, %size\n"
      "  %a6 = mul i32 %a5, 10\n  %a7 = add i32 %a6, %rank\n"
      "  %a8 = mul i32 %a7, 10\n  %a9 = add i32 %a8, %count\n"
      "  %b0 = mul i32 %a9, 10\n  %b1 = add i32 %b0, %e\n"
      "  %p = getelementptr i32, ptr addrspace(1) %out, i32 %cta\n"
      "  store i32 %b1, ptr addrspace(1) %p\n");
  EXPECT_THAT(run(device, kernel, "k", config, {KernelArgument::of(out)}),
              IsClean())
      << "cluster registers";
  EXPECT_EQ(device.get(out, 8)[6], 1224241u) << "CTA 6";
}

TEST(EmulatorMiscTest, MemoryIntrinsicsAreChecked) {
  auto kernel = [](const Twine &bytes) {
    return makeKernel(
        "ptr addrspace(1) %in, ptr addrspace(1) %out",
        "  %first = icmp eq i32 %tid, 0\n"
        "  br i1 %first, label %copy, label %done\n"
        "copy:\n"
        "  call void @llvm.memset.p3.i64(ptr addrspace(3) @dyn, i8 7, i64 64, "
        "i1 false)\n"
        "  call void @llvm.memcpy.p3.p1.i64(ptr addrspace(3) @dyn, ptr "
        "addrspace(1) %in, i64 " +
            bytes +
            ", i1 false)\n"
            "  call void @llvm.memmove.p1.p3.i64(ptr addrspace(1) %out, ptr "
            "addrspace(3) @dyn, i64 64, i1 false)\n"
            "  br label %done\n"
            "done:\n");
  };
  TestDevice device;
  auto *in = device.put(std::vector<uint8_t>(32, 3), "in");
  auto *out = device.makeRoom<uint8_t>(64, "out");
  std::vector<KernelArgument> arguments = {KernelArgument::of(in),
                                           KernelArgument::of(out)};
  EXPECT_THAT(run(device, kernel("32"), "k", oneCta(32, 64), arguments),
              IsClean())
      << "memory intrinsics";
  std::vector<uint8_t> got = device.get(out, 64);
  EXPECT_EQ(got[31], 3) << "bytes set and copied";
  EXPECT_EQ(got[32], 7) << "bytes set and copied";
  EXPECT_EQ(got[63], 7) << "bytes set and copied";
  EXPECT_THAT(run(device, kernel("33"), "k", oneCta(32, 64), arguments),
              Reports(ReportKind::OutOfBounds, "memcpy", "read of 33 bytes"))
      << "copy past the source";
  EXPECT_THAT(run(device, kernel("32"), "k", oneCta(32, 60), arguments),
              Reports(ReportKind::OutOfBounds, "memset", "write of 64 bytes"))
      << "copy past shared memory";
  EXPECT_THAT(
      run(device, dropLine(kernel("32"), "memset"), "k", oneCta(32, 64),
          arguments),
      Reports(ReportKind::UninitializedRead, "memmove", "shared memory + 32"))
      << "read of what was not set";
}

TEST(EmulatorMiscTest, WrongAccessesAreReported) {
  TestDevice device;
  auto *out = device.put(std::vector<uint32_t>(8), "out");
  auto access = [&](const Twine &body) {
    return run(device, makeKernel("ptr addrspace(1) %out", body), "k",
               oneCta(1, 64), {KernelArgument::of(out)});
  };
  EXPECT_THAT(access("  %p = getelementptr i32, ptr addrspace(1) %out, i32 "
                     "8\n"
                     "  %v = load i32, ptr addrspace(1) %p\n"),
              Reports(ReportKind::OutOfBounds, "load",
                      "read of 4 bytes at 'out' + 32 of 32 bytes"))
      << "load past the end";
  EXPECT_THAT(access("  %p = getelementptr i32, ptr addrspace(1) %out, i32 "
                     "6\n"
                     "  store <4 x i32> zeroinitializer, ptr addrspace(1) "
                     "%p, align 4\n"),
              Reports(ReportKind::OutOfBounds, "store", "write of 16 bytes"))
      << "store across the end";
  EXPECT_THAT(access("  %p = getelementptr i32, ptr addrspace(1) %out, i32 "
                     "-1\n"
                     "  store i32 0, ptr addrspace(1) %p\n"),
              Reports(ReportKind::OutOfBounds, "store", "write of 4 bytes"))
      << "store before the start";
  EXPECT_THAT(
      access("  %v = load i32, ptr null\n"),
      Reports(ReportKind::OutOfBounds, "load", "read of 4 bytes at 0x0"))
      << "null pointer";
  EXPECT_THAT(access("  %p = getelementptr i8, ptr addrspace(3) @dyn, i32 "
                     "64\n"
                     "  %v = load i32, ptr addrspace(3) %p\n"),
              Reports(ReportKind::OutOfBounds, "load", "read of 4 bytes"))
      << "load past shared memory";
  EXPECT_THAT(access("  %p = getelementptr i8, ptr addrspace(1) %out, i32 "
                     "8\n"
                     "  %v = load <4 x i32>, ptr addrspace(1) %p, align "
                     "16\n"),
              Reports(ReportKind::Misaligned, "load",
                      "'out' + 8 of 32 bytes is no multiple of 16"))
      << "vector at an odd place";
  EXPECT_THAT(access("  %v = load i32, ptr addrspace(3) @dyn\n"),
              Reports(ReportKind::UninitializedRead, "load",
                      "nothing has written shared memory + 0"))
      << "fresh shared memory";
}
