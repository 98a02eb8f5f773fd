//===- EmulatorMiscTest.cpp - Address spaces, memory intrinsics, control --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "TestDevice.h"

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
  checkClean(name, run(device, kernel, "k", config, {KernelArgument::of(out)}));
  return device.get(out, 32);
}

static void testSpaces() {
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
      CHECK_EQUAL(Twine(pointers[i]) + " in " + spaces[j],
                  compute("isspacep", isIn(spaces[j], pointers[i]))[0],
                  uint32_t(i == j));
  CHECK_EQUAL("own rank",
              compute("getctarank",
                      "  %s = addrspacecast ptr addrspace(3) @dyn to ptr\n"
                      "  %r = call i32 @llvm.nvvm.getctarank(ptr %s)\n")[0],
              0u);
  // Shared addresses survive in 32 bits.
  CHECK_EQUAL("32-bit shared address",
              compute("32 bits",
                      "  %a = ptrtoint ptr addrspace(3) @dyn to i32\n"
                      "  %o = shl i32 %tid, 2\n"
                      "  %b = add i32 %a, %o\n"
                      "  %q = inttoptr i32 %b to ptr addrspace(3)\n"
                      "  store i32 %tid, ptr addrspace(3) %q\n"
                      "  %r = load i32, ptr addrspace(3) %q\n")[5],
              5u);
}

static void testLaneMasks() {
  struct Mask {
    const char *name;
    uint32_t ofLane5;
  };
  for (Mask mask : {Mask{"eq", 0x20}, Mask{"lt", 0x1F}, Mask{"le", 0x3F},
                    Mask{"gt", 0xFFFFFFC0}, Mask{"ge", 0xFFFFFFE0}})
    CHECK_EQUAL(Twine("lanemask.") + mask.name,
                compute("lanemask",
                        "  %r = call i32 @llvm.nvvm.read.ptx.sreg.lanemask." +
                            Twine(mask.name) + "()\n")[5],
                mask.ofLane5);
}

static void testControl() {
  compute("nothing to see",
          "  call void @llvm.nvvm.griddepcontrol.wait()\n"
          "  call void @llvm.nvvm.griddepcontrol.launch.dependents()\n"
          "  call void @llvm.nvvm.nanosleep(i32 20)\n"
          "  call void @llvm.nvvm.prefetch.global.L2(ptr addrspace(1) %out)\n"
          "  %r = call i32 @llvm.nvvm.read.ptx.sreg.warpsize()\n");
  CHECK("clock grows",
        compute("clock", "  %a = call i32 @llvm.nvvm.read.ptx.sreg.clock()\n"
                         "  %b = call i32 @llvm.nvvm.read.ptx.sreg.clock()\n"
                         "  %r = sub i32 %b, %a\n")[0] > 0);
  CHECK_EQUAL("dynamic shared memory",
              compute("dynamic_smem_size",
                      "  %r = call i32 @llvm.nvvm.read.ptx.sreg.dynamic_smem_"
                      "size()\n")[0],
              1024u);
}

static void testClusterRegisters() {
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
  checkClean("cluster registers",
             run(device, kernel, "k", config, {KernelArgument::of(out)}));
  CHECK_EQUAL("CTA 6", device.get(out, 8)[6], 1224241u);
}

static void testMemoryIntrinsics() {
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
  checkClean("memory intrinsics",
             run(device, kernel("32"), "k", oneCta(32, 64), arguments));
  std::vector<uint8_t> got = device.get(out, 64);
  CHECK("bytes set and copied", got[31] == 3 && got[32] == 7 && got[63] == 7);
  checkReported("copy past the source",
                run(device, kernel("33"), "k", oneCta(32, 64), arguments),
                ReportKind::OutOfBounds, "memcpy", "read of 33 bytes");
  checkReported("copy past shared memory",
                run(device, kernel("32"), "k", oneCta(32, 60), arguments),
                ReportKind::OutOfBounds, "memset", "write of 64 bytes");
  checkReported("read of what was not set",
                run(device, dropLine(kernel("32"), "memset"), "k",
                    oneCta(32, 64), arguments),
                ReportKind::UninitializedRead, "memmove", "shared memory + 32");
}

static void testPlainAccesses() {
  TestDevice device;
  auto *out = device.put(std::vector<uint32_t>(8), "out");
  auto access = [&](const Twine &body) {
    return run(device, makeKernel("ptr addrspace(1) %out", body), "k",
               oneCta(1, 64), {KernelArgument::of(out)});
  };
  checkReported("load past the end",
                access("  %p = getelementptr i32, ptr addrspace(1) %out, i32 "
                       "8\n"
                       "  %v = load i32, ptr addrspace(1) %p\n"),
                ReportKind::OutOfBounds, "load",
                "read of 4 bytes at 'out' + 32 of 32 bytes");
  checkReported("store across the end",
                access("  %p = getelementptr i32, ptr addrspace(1) %out, i32 "
                       "6\n"
                       "  store <4 x i32> zeroinitializer, ptr addrspace(1) "
                       "%p, align 4\n"),
                ReportKind::OutOfBounds, "store", "write of 16 bytes");
  checkReported("store before the start",
                access("  %p = getelementptr i32, ptr addrspace(1) %out, i32 "
                       "-1\n"
                       "  store i32 0, ptr addrspace(1) %p\n"),
                ReportKind::OutOfBounds, "store", "write of 4 bytes");
  checkReported("null pointer", access("  %v = load i32, ptr null\n"),
                ReportKind::OutOfBounds, "load", "read of 4 bytes at 0x0");
  checkReported("load past shared memory",
                access("  %p = getelementptr i8, ptr addrspace(3) @dyn, i32 "
                       "64\n"
                       "  %v = load i32, ptr addrspace(3) %p\n"),
                ReportKind::OutOfBounds, "load", "read of 4 bytes");
  checkReported("vector at an odd place",
                access("  %p = getelementptr i8, ptr addrspace(1) %out, i32 "
                       "8\n"
                       "  %v = load <4 x i32>, ptr addrspace(1) %p, align "
                       "16\n"),
                ReportKind::Misaligned, "load",
                "'out' + 8 of 32 bytes is no multiple of 16");
  checkReported("fresh shared memory",
                access("  %v = load i32, ptr addrspace(3) @dyn\n"),
                ReportKind::UninitializedRead, "load",
                "nothing has written shared memory + 0");
}

int main() {
  testSpaces();
  testLaneMasks();
  testControl();
  testClusterRegisters();
  testMemoryIntrinsics();
  testPlainAccesses();
  return finish();
}
