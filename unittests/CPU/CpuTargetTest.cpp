//===- CpuTargetTest.cpp - which code is for which processor --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Engines/CPU/CpuTarget.h"
#include "parablock/Engines/CPU/Runtime/ObjectEntry.h"
#include "llvm/Testing/Support/Error.h"
#include "gtest/gtest.h"
#include <chrono>

using namespace parablock;
using llvm::Expected;
using llvm::Succeeded;

TEST(CpuTargetTest, KnowsItsVectors) {
  for (auto [name, bits] : {std::pair<llvm::StringRef, unsigned>{"x86-64", 128},
                            {"x86-64-v3", 256},
                            {"x86-64-v4", 512}}) {
    Expected<CpuTarget> target = findCpuTarget(name);
    ASSERT_THAT_EXPECTED(target, Succeeded());
    EXPECT_EQ(target->vectorBits, bits) << name.str();
  }
  EXPECT_THAT_ERROR(checkRunsHere(llvm::cantFail(findCpuTarget("native"))),
                    Succeeded())
      << "the host runs here";
  EXPECT_THAT_ERROR(checkRunsHere(llvm::cantFail(findCpuTarget("x86-64"))),
                    Succeeded())
      << "so does the baseline";
}

TEST(CpuTargetTest, TakesTheFastestPathThatFits) {
  struct {
    llvm::StringRef cpu;
    ElementType type;
    int64_t depth;
    CpuPath path;
  } cases[] = {
      {"x86-64-v3", ElementType::BF16, 64, CpuPath::Fma},
      {"x86-64-v4", ElementType::BF16, 64, CpuPath::Fma},
      {"znver4", ElementType::BF16, 64, CpuPath::BF16Dot},
      {"znver4", ElementType::BF16, 63, CpuPath::Fma},
      {"znver4", ElementType::F16, 64, CpuPath::Fma},
      {"cooperlake", ElementType::BF16, 64, CpuPath::Fma},
      {"sapphirerapids", ElementType::BF16, 64, CpuPath::BF16Tiles},
      // Pairs at half the rate of f32 are none in place of tiles.
      {"sapphirerapids", ElementType::BF16, 48, CpuPath::Fma},
      {"sapphirerapids", ElementType::F16, 64, CpuPath::Fma},
      {"graniterapids", ElementType::F16, 64, CpuPath::F16Tiles},
      {"graniterapids", ElementType::F32, 64, CpuPath::Fma},
  };
  for (const auto &one : cases) {
    Expected<CpuTarget> target = findCpuTarget(one.cpu);
    ASSERT_THAT_EXPECTED(target, Succeeded());
    EXPECT_EQ(getInfo(target->choosePath(one.type, {64, one.depth})).name,
              getInfo(one.path).name)
        << one.cpu.str() << " " << getElementTypeKeyword(one.type).str() << " "
        << one.depth;
  }
  EXPECT_EQ(llvm::cantFail(findCpuTarget("graniterapids")).getClassName(),
            "x86-64-v4 bf16-tiles f16-tiles");
}

TEST(CpuTargetTest, MeasuresRatesInNoTime) {
  CpuTarget host = llvm::cantFail(findCpuTarget("native"));
  double least = 1e9;
  for (int i = 0; i < 5; ++i) {
    auto start = std::chrono::steady_clock::now();
    CpuRates rates = measureCpuRates(host);
    std::chrono::duration<double, std::milli> time =
        std::chrono::steady_clock::now() - start;
    least = std::min(least, time.count());
    for (size_t path = 0; path < numCpuPaths; ++path)
      EXPECT_EQ(rates[path] > 0, host.rates[path] > 0)
          << getInfo(CpuPath(path)).name.str();
  }
  EXPECT_LT(least, 5) << "milliseconds";
  EXPECT_GT(host.rates[0], 0);
  EXPECT_EQ(llvm::cantFail(findCpuTarget("native")).rates, host.rates)
      << "once per process";
}

/// A program of no launches, whose code needs `needs`.
static int32_t pack(int64_t version, cpu::FeatureSet needs) {
  const int64_t numbers[] = {version, static_cast<int64_t>(needs), 0, 0, 0, 0};
  ParablockCpuObject object{numbers, nullptr, 0, nullptr};
  return parablockCpuPack(&object, nullptr, nullptr, nullptr);
}

TEST(CpuTargetTest, ObjectsSayWhatTheyNeed) {
  EXPECT_EQ(pack(cpu::programVersion, 0), 0);
  EXPECT_EQ(
      pack(cpu::programVersion, llvm::cantFail(findCpuTarget("native")).needs),
      0)
      << "all that LLVM says that this machine has";
  EXPECT_EQ(pack(cpu::programVersion, cpu::FeatureSet(1) << 63),
            parablockCpuOtherProcessor);
  EXPECT_EQ(pack(cpu::programVersion - 1, 0), parablockCpuOtherVersion);
  cpu::FeatureSet tiles =
      llvm::cantFail(findCpuTarget("sapphirerapids")).needs &
      ~llvm::cantFail(findCpuTarget("icelake-server")).needs;
  EXPECT_EQ(pack(cpu::programVersion, tiles),
            (tiles & ~cpu::getFeatures()) ? parablockCpuOtherProcessor : 0);
  EXPECT_NE(tiles, 0U);
}
