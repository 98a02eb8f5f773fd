//===- EmulatorWarpTest.cpp - Registers, shuffles, votes, reductions ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "TestDevice.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace parablock;
using namespace parablock::unittest;
using llvm::Twine;

/// Gives what each lane brings to an operation.
static uint32_t input(uint32_t lane) { return lane * 2654435761u; }

/// A kernel in which `body` computes the i32 %r from %lane and %x, the input.
static std::string makeLaneKernel(const Twine &body) {
  return makeKernel("ptr addrspace(1) %out",
                    "  %x = mul i32 %lane, -1640531535\n" + body +
                        "  %p = getelementptr i32, ptr addrspace(1) %out, i32 "
                        "%tid\n"
                        "  store i32 %r, ptr addrspace(1) %p\n");
}

/// Runs one warp and compares every lane with `expected(lane)`.
template <typename Expected>
static void checkLanes(llvm::StringRef name, const Twine &body,
                       Expected expected, uint32_t threads = 32) {
  TestDevice device;
  auto *out = device.makeRoom<uint32_t>(threads, "out");
  EXPECT_THAT(run(device, makeLaneKernel(body), "k", oneCta(threads),
                  {KernelArgument::of(out)}),
              IsClean())
      << name.str();
  std::vector<uint32_t> got = device.get(out, threads);
  for (uint32_t lane = 0; lane < threads; ++lane)
    if (got[lane] != expected(lane)) {
      EXPECT_EQ(got[lane], expected(lane))
          << (name + " in lane " + Twine(lane)).str();
      return;
    }
}

TEST(EmulatorWarpTest, ShufflesMoveValues) {
  auto shuffle = [](llvm::StringRef mode, int by, int clamp) {
    return ("  %r = call i32 @llvm.nvvm.shfl.sync." + mode +
            ".i32(i32 -1, i32 %x, i32 " + Twine(by) + ", i32 " + Twine(clamp) +
            ")\n")
        .str();
  };
  checkLanes("shfl.idx", shuffle("idx", 7, 31),
             [](uint32_t) { return input(7); });
  checkLanes("shfl.bfly", shuffle("bfly", 5, 31),
             [](uint32_t lane) { return input(lane ^ 5); });
  checkLanes("shfl.up keeps its own below", shuffle("up", 3, 0),
             [](uint32_t lane) { return input(lane < 3 ? lane : lane - 3); });
  checkLanes("shfl.down keeps its own above", shuffle("down", 3, 31),
             [](uint32_t lane) { return input(lane > 28 ? lane : lane + 3); });
  // Segments of 8 lanes: the upper bits of the lane stay.
  int segments = 0x1800 | 7;
  checkLanes("shfl.idx in segments", shuffle("idx", 3, segments),
             [](uint32_t lane) { return input((lane & 24) + 3); });
  checkLanes(
      "shfl.down in segments", shuffle("down", 6, segments),
      [](uint32_t lane) { return input(lane % 8 + 6 < 8 ? lane + 6 : lane); });
  checkLanes("shfl predicate",
             "  %s = call {i32, i1} @llvm.nvvm.shfl.sync.down.i32p(i32 -1, i32 "
             "%x, i32 4, i32 31)\n"
             "  %v = extractvalue {i32, i1} %s, 0\n"
             "  %q = extractvalue {i32, i1} %s, 1\n"
             "  %r = select i1 %q, i32 %v, i32 1\n",
             [](uint32_t lane) { return lane < 28 ? input(lane + 4) : 1; });
  checkLanes("shfl f32",
             "  %f = bitcast i32 %lane to float\n"
             "  %s = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float "
             "%f, i32 16, i32 31)\n"
             "  %r = bitcast float %s to i32\n",
             [](uint32_t lane) { return lane ^ 16; });
}

TEST(EmulatorWarpTest, VotesCountLanes) {
  auto vote = [](llvm::StringRef mode) {
    return ("  %b = trunc i32 %lane to i1\n"
            "  %v = call i1 @llvm.nvvm.vote." +
            mode +
            ".sync(i32 -1, i1 %b)\n"
            "  %r = zext i1 %v to i32\n")
        .str();
  };
  checkLanes("vote.all", vote("all"), [](uint32_t) { return 0u; });
  checkLanes("vote.any", vote("any"), [](uint32_t) { return 1u; });
  checkLanes("vote.uni", vote("uni"), [](uint32_t) { return 0u; });
  checkLanes("vote.ballot",
             "  %b = trunc i32 %lane to i1\n"
             "  %r = call i32 @llvm.nvvm.vote.ballot.sync(i32 -1, i1 %b)\n",
             [](uint32_t) { return 0xAAAAAAAAu; });
  // Each half of the warp is a group of its own.
  checkLanes("vote of a half",
             "  %low = icmp ult i32 %lane, 16\n"
             "  %mask = select i1 %low, i32 65535, i32 -65536\n"
             "  %v = call i1 @llvm.nvvm.vote.all.sync(i32 %mask, i1 %low)\n"
             "  %r = zext i1 %v to i32\n",
             [](uint32_t lane) { return lane < 16 ? 1u : 0u; });
  checkLanes("match.any",
             "  %k = and i32 %lane, 3\n"
             "  %r = call i32 @llvm.nvvm.match.any.sync.i32(i32 -1, i32 %k)\n",
             [](uint32_t lane) { return 0x11111111u << lane % 4; });
}

template <typename Combine>
static void checkReduction(llvm::StringRef mode, Combine combine) {
  uint32_t total = input(0);
  for (uint32_t lane = 1; lane < 32; ++lane)
    total = combine(total, input(lane));
  checkLanes(("redux." + mode).str(),
             "  %r = call i32 @llvm.nvvm.redux.sync." + mode +
                 "(i32 %x, i32 -1)\n",
             [&](uint32_t) { return total; });
}

TEST(EmulatorWarpTest, ReductionsCombineLanes) {
  using U = uint32_t;
  checkReduction("add", [](U a, U b) { return a + b; });
  checkReduction("and", [](U a, U b) { return a & b; });
  checkReduction("or", [](U a, U b) { return a | b; });
  checkReduction("xor", [](U a, U b) { return a ^ b; });
  checkReduction("umin", [](U a, U b) { return std::min(a, b); });
  checkReduction("umax", [](U a, U b) { return std::max(a, b); });
  checkReduction("min", [](U a, U b) {
    return U(std::min(static_cast<int32_t>(a), static_cast<int32_t>(b)));
  });
  checkReduction("max", [](U a, U b) {
    return U(std::max(static_cast<int32_t>(a), static_cast<int32_t>(b)));
  });
  checkLanes("elect",
             "  %e = call {i32, i1} @llvm.nvvm.elect.sync(i32 -1)\n"
             "  %l = extractvalue {i32, i1} %e, 0\n"
             "  %q = extractvalue {i32, i1} %e, 1\n"
             "  %r = select i1 %q, i32 %l, i32 99\n",
             [](uint32_t lane) { return lane == 0 ? 0u : 99u; });
}

TEST(EmulatorWarpTest, RegistersNameThreadsAndCtas) {
  TestDevice device;
  std::string body;
  unsigned count = 0;
  // A number that every register has a digit in.
  std::string sum = "0";
  for (const char *name :
       {"tid.x", "tid.y", "ctaid.x", "ctaid.y", "ntid.x", "ntid.y", "nctaid.x",
        "nctaid.y", "laneid", "warpid"}) {
    ++count;
    body += ("  %v" + Twine(count) + " = call i32 @llvm.nvvm.read.ptx.sreg." +
             name + "()\n  %m" + Twine(count) + " = mul i32 " + sum +
             ", 64\n  %s" + Twine(count) + " = add i32 %m" + Twine(count) +
             ", %v" + Twine(count) + "\n")
                .str();
    sum = ("%s" + Twine(count)).str();
    if (count == 5) { // 32 bits hold no more than five digits
      body += "  %first = add i32 " + sum + ", 0\n";
      sum = "0";
    }
  }
  body += "  %w = mul i32 %v6, %v5\n  %c = mul i32 %v4, %v7\n"
          "  %cta = add i32 %c, %v3\n  %ctaBase = mul i32 %cta, %w\n"
          "  %row = mul i32 %v2, %v5\n  %inCta = add i32 %row, %v1\n"
          "  %i = add i32 %ctaBase, %inCta\n  %i2 = mul i32 %i, 2\n"
          "  %p = getelementptr i32, ptr addrspace(1) %out, i32 %i2\n"
          "  store i32 %first, ptr addrspace(1) %p\n"
          "  %q = getelementptr i32, ptr addrspace(1) %p, i32 1\n"
          "  store i32 " +
          sum + ", ptr addrspace(1) %q\n";
  LaunchConfig config;
  config.grid.x = 3;
  config.grid.y = 4;
  config.block.x = 32;
  config.block.y = 2;
  auto *results = device.makeRoom<uint32_t>(2 * 12 * 64, "results");
  EXPECT_THAT(run(device, makeKernel("ptr addrspace(1) %out", body), "k",
                  config, {KernelArgument::of(results)}),
              IsClean())
      << "registers";
  std::vector<uint32_t> got = device.get(results, 2 * 12 * 64);
  bool allRight = true;
  for (uint32_t cta = 0; cta < 12; ++cta)
    for (uint32_t t = 0; t < 64; ++t) {
      uint32_t digits[] = {t % 32, t / 32, cta % 3, cta / 3, 32,
                           2,      3,      4,       t % 32,  t / 32};
      uint32_t first = 0, second = 0;
      for (unsigned i = 0; i < 5; ++i) {
        first = first * 64 + digits[i];
        second = second * 64 + digits[5 + i];
      }
      allRight &= got[2 * (cta * 64 + t)] == first &&
                  got[2 * (cta * 64 + t) + 1] == second;
    }
  EXPECT_TRUE(allRight) << "values of the registers";
}

TEST(EmulatorWarpTest, MisuseIsReported) {
  TestDevice device;
  auto *out = device.makeRoom<uint32_t>(32, "out");
  std::string kernel = makeLaneKernel(
      "  %r = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 255, i32 %x, i32 0, "
      "i32 31)\n");
  LaunchResult result =
      run(device, kernel, "k", oneCta(32), {KernelArgument::of(out)});
  EXPECT_THAT(result, Reports(ReportKind::BadOperand, "shfl.sync.idx",
                              "does not hold the executing lane"))
      << "lane outside its mask";

  // One half of the warp votes, the other never comes.
  kernel = makeKernel("ptr addrspace(1) %out",
                      "  %low = icmp ult i32 %lane, 16\n"
                      "  br i1 %low, label %vote, label %done\n"
                      "vote:\n"
                      "  %v = call i1 @llvm.nvvm.vote.any.sync(i32 -1, i1 "
                      "true)\n"
                      "  br label %done\n"
                      "done:\n");
  result = run(device, kernel, "k", oneCta(32), {KernelArgument::of(out)});
  EXPECT_THAT(result,
              Reports(ReportKind::Deadlock, "vote.any.sync",
                      "threads 0-15 wait for the other threads of the warp"))
      << "half a warp waits for the other";
}
