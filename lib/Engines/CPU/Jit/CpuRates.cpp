//===- CpuRates.cpp - how fast this machine adds products up --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Loops of one instruction each on independent sums, all zeros, in assembly:
// unaffected by compilers and their options.
//
//===----------------------------------------------------------------------===//

#include "parablock/Engines/CPU/CpuTarget.h"
#include <algorithm>
#include <chrono>

using namespace parablock;

#if defined(__x86_64__)

// Twelve sums: as many as cover the latency of two units.
#define PARABLOCK_ON_SUMS(instruction, sources)                                \
  instruction " " sources "0\n" instruction " " sources "1\n" instruction      \
              " " sources "2\n" instruction " " sources "3\n" instruction      \
              " " sources "4\n" instruction " " sources "5\n" instruction      \
              " " sources "6\n" instruction " " sources "7\n" instruction      \
              " " sources "8\n" instruction " " sources "9\n" instruction      \
              " " sources "10\n" instruction " " sources "11\n"
#define PARABLOCK_REPEAT(body) "1:\n" body "dec %0\njnz 1b\n"
#define PARABLOCK_VECTORS                                                      \
  "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8",      \
      "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "cc"

namespace {
/// A loop, and the multiply-adds of an iteration.
struct Loop {
  CpuPath path;
  /// The width of the vectors it works on.
  unsigned vectorBits;
  void (*run)(int64_t turns);
  int64_t turns;
  double perTurn;
};
} // namespace

static void runMultiplyAdd128(int64_t turns) {
  __asm__ volatile("xorps %%xmm12, %%xmm12\n" PARABLOCK_REPEAT(
                       PARABLOCK_ON_SUMS("mulps", "%%xmm12, %%xmm")
                           PARABLOCK_ON_SUMS("addps", "%%xmm12, %%xmm"))
                   : "+r"(turns)::PARABLOCK_VECTORS);
}

static void runFma256(int64_t turns) {
  __asm__ volatile("vzeroall\n" PARABLOCK_REPEAT(PARABLOCK_ON_SUMS(
      "vfmadd231ps", "%%ymm12, %%ymm13, %%ymm"))
                   : "+r"(turns)::PARABLOCK_VECTORS);
}

static void runFma512(int64_t turns) {
  __asm__ volatile("vzeroall\n" PARABLOCK_REPEAT(PARABLOCK_ON_SUMS(
      "vfmadd231ps", "%%zmm12, %%zmm13, %%zmm")) "vzeroupper\n"
                   : "+r"(turns)::PARABLOCK_VECTORS);
}

static void runBF16Dot(int64_t turns) {
  __asm__ volatile("vzeroall\n" PARABLOCK_REPEAT(PARABLOCK_ON_SUMS(
      "vdpbf16ps", "%%zmm12, %%zmm13, %%zmm")) "vzeroupper\n"
                   : "+r"(turns)::PARABLOCK_VECTORS);
}

/// Eight tiles of 16 rows of 64 bytes.
alignas(64) static constexpr uint8_t wholeTiles[64] = {
    1, 0,  0, 0,  0, 0,  0, 0,  0, 0,  0,  0,  0,  0,  0,  0,  64, 0, 64,
    0, 64, 0, 64, 0, 64, 0, 64, 0, 64, 0,  64, 0,  0,  0,  0,  0,  0, 0,
    0, 0,  0, 0,  0, 0,  0, 0,  0, 0,  16, 16, 16, 16, 16, 16, 16, 16};

// The features request permission from the kernel.
#define PARABLOCK_TILE_LOOP(instruction)                                       \
  __asm__ volatile(                                                            \
      "ldtilecfg (%1)\n"                                                       \
      "tilezero %%tmm0\ntilezero %%tmm1\ntilezero %%tmm2\ntilezero %%tmm3\n"   \
      "tilezero %%tmm4\ntilezero %%tmm5\n" PARABLOCK_REPEAT(                   \
          instruction " %%tmm4, %%tmm5, %%tmm0\n" instruction                  \
                      " %%tmm4, %%tmm5, %%tmm1\n" instruction                  \
                      " %%tmm4, %%tmm5, %%tmm2\n" instruction                  \
                      " %%tmm4, %%tmm5, %%tmm3\n") "tilerelease\n"             \
      : "+r"(turns)                                                            \
      : "r"(wholeTiles)                                                        \
      : "cc", "memory")

static void runBF16Tiles(int64_t turns) { PARABLOCK_TILE_LOOP("tdpbf16ps"); }
static void runF16Tiles(int64_t turns) { PARABLOCK_TILE_LOOP("tdpfp16ps"); }

/// About four microseconds each.
static constexpr Loop loops[] = {
    {CpuPath::Fma, 128, runMultiplyAdd128, 1000, 12 * 4},
    {CpuPath::Fma, 256, runFma256, 1500, 12 * 8},
    {CpuPath::Fma, 512, runFma512, 1500, 12 * 16},
    {CpuPath::BF16Dot, 512, runBF16Dot, 1500, 12 * 32},
    {CpuPath::BF16Tiles, 512, runBF16Tiles, 150, 4 * 16 * 16 * 32},
    {CpuPath::F16Tiles, 512, runF16Tiles, 150, 4 * 16 * 16 * 32}};

CpuRates parablock::measureCpuRates(const CpuTarget &target) {
  using Clock = std::chrono::steady_clock;
  CpuRates rates = {};
  // Alternates between loops, so that other work on the core affects all of
  // them.
  for (int round = 0; round < 25; ++round)
    for (const Loop &loop : loops) {
      if (loop.vectorBits != target.vectorBits || !target.has(loop.path))
        continue;
      Clock::time_point start = Clock::now();
      loop.run(loop.turns);
      std::chrono::duration<double, std::nano> time = Clock::now() - start;
      double &rate = rates[size_t(loop.path)];
      rate = std::max(rate, double(loop.turns) * loop.perTurn / time.count());
    }
  return rates;
}

#else

CpuRates parablock::measureCpuRates(const CpuTarget &target) {
  return target.rates;
}

#endif
