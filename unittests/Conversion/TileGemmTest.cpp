//===- TileGemmTest.cpp - Products from tile kernels to the emulator ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "DeviceTensors.h"
#include "FullRun.h"
#include "GemmProgram.h"

#include "llvm/Support/FormatVariadic.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace parablock;
using namespace parablock::unittest;
using namespace parablock::unittest::schedules;

namespace {
/// One operand: numbers that its type holds, and where they are.
struct Operand {
  Operand(TestDevice &device, llvm::StringRef name, llvm::StringRef type,
          int64_t rows, int64_t depth, bool isDepthFirst)
      : values(drawValues(name, rows * depth)), rows(rows), depth(depth),
        isDepthFirst(isDepthFirst) {
    tensor.rows = isDepthFirst ? depth : rows;
    tensor.columns = isDepthFirst ? rows : depth;
    if (type == "f32") {
      tensor.type = TensorMapType::F32;
      tensor.address =
          device.put(std::vector<float>(values.begin(), values.end()), name);
      return;
    }
    tensor.type = type == "bf16" ? TensorMapType::BF16 : TensorMapType::F16;
    std::vector<uint16_t> bits;
    for (double &value : values) {
      if (type == "bf16") {
        bits.push_back(toBF16Bits(value));
      } else {
        bits.push_back(toF16Bits(value));
        value = roundToF16(value);
      }
    }
    tensor.address = device.put(bits, name);
  }

  double at(int64_t row, int64_t k) const {
    return values[isDepthFirst ? k * rows + row : row * depth + k];
  }

  std::vector<double> values;
  int64_t rows, depth;
  bool isDepthFirst;
  DeviceTensor tensor;
};
} // namespace

static double multiply(const Operand &a, const Operand &b, int64_t i,
                       int64_t j) {
  double sum = 0;
  for (int64_t k = 0; k < a.depth; ++k)
    sum += a.at(i, k) * b.at(j, k);
  return sum;
}

namespace {
/// A program on a chip, with threads in the order that `seed` makes.
struct Trial {
  GemmProgram program;
  llvm::StringRef chip;
  uint64_t seed;
};

class TileGemmTest : public testing::TestWithParam<Trial> {};

void PrintTo(const Trial &trial, std::ostream *os) {
  const GemmProgram &program = trial.program;
  *os << llvm::formatv("{0} {1} {2}x{3}x{4}+{5} tile {6}x{7}{8}{9}: {10}",
                       trial.chip, program.type, program.m, program.n,
                       program.k, program.k2, program.tileRows,
                       program.tileColumns,
                       program.leftDepthFirst ? " left depth first" : "",
                       program.rightDepthFirst ? " right depth first" : "",
                       program.schedule)
             .str();
}
} // namespace

TEST_P(TileGemmTest, MatchesDouble) {
  const GemmProgram &program = GetParam().program;
  TestDevice device;
  std::vector<Operand> operands;
  operands.reserve(4);
  auto add = [&](llvm::StringRef name, int64_t rows, int64_t depth,
                 bool isDepthFirst) {
    operands.emplace_back(device, name, program.type, rows, depth,
                          isDepthFirst);
  };
  add("a", program.m, program.k, program.leftDepthFirst);
  add("b", program.n, program.k, program.rightDepthFirst);
  if (program.k2) {
    add("a2", program.m, program.k2, program.leftDepthFirst);
    add("b2", program.n, program.k2, program.rightDepthFirst);
  }
  std::vector<DeviceTensor> tensors;
  for (const Operand &operand : operands)
    tensors.push_back(operand.tensor);
  if (program.batches)
    tensors.front().dims = {0, int32_t(program.m / program.batches), 0};
  size_t count = program.m * program.n;
  float *out = device.makeRoom<float>(count, "out");
  tensors.push_back({out, uint64_t(program.m), uint64_t(program.n),
                     TensorMapType::F32, tensors.front().dims});

  EmulatorOptions options;
  options.scheduleSeed = GetParam().seed;
  TileKernel kernel(device, program.text(), GetParam().chip, options);
  kernel.launch(bindTensors(kernel, tensors));
  EXPECT_EQ(llvm::cantFail(device.memory->countUninitialized(out, 4 * count)),
            0u);
  std::vector<float> got = device.get(out, count);
  double worst = 0;
  for (int64_t i = 0; i < program.m; ++i)
    for (int64_t j = 0; j < program.n; ++j) {
      double want = 0;
      if (program.steps != 0)
        want = multiply(operands[0], operands[1], i, j);
      if (program.k2)
        want += multiply(operands[2], operands[3], i, j);
      double error =
          std::fabs(got[i * program.n + j] - want) / (1 + std::fabs(want));
      // A NaN is an infinite error.
      if (!(error <= worst))
        worst = std::isnan(error) ? INFINITY : error;
    }
  EXPECT_LT(worst, 1e-5);
}

namespace {
struct Case {
  llvm::StringRef chip, type;
  int64_t m, n, k, k2, tileRows, tileColumns;
  llvm::StringRef schedule;
  int64_t pieces = 1, stagedColumns = 0, steps = -1, batches = 0;
  bool isChained = false;
};
} // namespace

static GemmProgram makeProgram(const Case &test) {
  GemmProgram program;
  program.type = test.type.str();
  program.m = test.m;
  program.n = test.n;
  program.k = test.k;
  program.k2 = test.k2;
  program.tileRows = test.tileRows;
  program.tileColumns = test.tileColumns;
  program.schedule = test.schedule.str();
  program.pieces = test.pieces;
  program.stagedColumns =
      test.stagedColumns ? test.stagedColumns : test.tileColumns;
  program.steps = test.steps;
  program.batches = test.batches;
  program.isChained = test.isChained;
  return program;
}

/// Every way of multiplying and copying, at sizes on and off the edges of
/// tiles.
static std::vector<Trial> listSizes() {
  // clang-format off
  const Case cases[] = {
      // The software pipeline with mma.sync.
      {"sm_80", "bf16", 128, 128, 64, 0, 128, 128, mma80},
      {"sm_80", "f16", 200, 300, 136, 0, 128, 128, mma80},
      {"sm_80", "bf16", 200, 300, 136, 72, 128, 128, mma80, 2},
      {"sm_80", "bf16", 1, 1, 2, 0, 64, 128, mma64},
      {"sm_80", "bf16", 1, 1, 1, 0, 64, 128, mmaPlain},
      {"sm_80", "bf16", 17, 65, 33, 0, 128, 128, mmaPlain},
      {"sm_80", "f16", 17, 65, 34, 0, 64, 128, mma64, 1, 36},
      {"sm_80", "bf16", 65, 130, 100, 0, 64, 128, mmaOne, 1, 33},
      {"sm_80", "bf16", 64, 128, 64, 0, 64, 128, mma64, 1, 0, 0},
      {"sm_80", "bf16", 70, 260, 136, 0, 64, 256, "multiply = mma, copies = async, warps = 8, stages = 2, grid = 2", 4, 128},
      {"sm_80", "bf16", 150, 65, 72, 0, 128, 128, mma80, 1, 0, -1, 2},
      {"sm_80", "bf16", 150, 65, 71, 0, 128, 128, mmaPlain, 1, 0, -1, 3},
      {"sm_80", "bf16", 200, 300, 200, 136, 64, 128, mma64, 1, 0, -1, 0, true},
      {"sm_90a", "f16", 17, 65, 33, 0, 128, 128, mmaPlain},
      {"sm_90a", "bf16", 200, 300, 132, 0, 128, 128, mma80},
      {"sm_90a", "bf16", 70, 130, 200, 0, 64, 128, mmaTma},
      // Warp roles with wgmma.
      {"sm_90a", "bf16", 128, 128, 64, 0, 128, 128, wgmma128},
      {"sm_90a", "bf16", 1, 1, 8, 0, 64, 128, wgmma64},
      {"sm_90a", "f16", 17, 65, 40, 0, 64, 128, wgmma64, 1, 40},
      {"sm_90a", "f16", 200, 300, 136, 0, 128, 128, wgmma128},
      {"sm_90a", "bf16", 300, 300, 520, 136, 128, 128, wgmma128, 2, 64},
      {"sm_90a", "bf16", 200, 300, 328, 0, 128, 256, "multiply = wgmma, copies = tma, warps = 8, producers = 4, stages = 3, grid = 2", 1, 64},
      {"sm_90a", "bf16", 100, 300, 200, 0, 64, 256, wgmma64, 4},
      {"sm_90a", "bf16", 128, 128, 64, 0, 128, 128, wgmma128, 1, 0, 0},
      {"sm_90a", "bf16", 150, 65, 72, 0, 128, 128, wgmma128, 1, 0, -1, 2},
      {"sm_90a", "bf16", 200, 300, 200, 136, 64, 128, wgmma64, 1, 0, -1, 0, true},
      // f32.
      {"sm_80", "f32", 1, 1, 1, 0, 64, 128, fma32},
      {"sm_80", "f32", 17, 65, 33, 0, 64, 128, fma32},
      {"sm_80", "f32", 17, 65, 33, 0, 64, 128, fma32Plain, 1, 50},
      {"sm_80", "f32", 100, 300, 136, 33, 64, 256, fma32, 2},
      {"sm_80", "f32", 130, 130, 70, 0, 128, 128, fma32, 1, 0, -1, 2},
      {"sm_90a", "f32", 128, 128, 64, 0, 64, 128, fma32},
  };
  // clang-format on
  std::vector<Trial> trials;
  for (const Case &test : cases)
    trials.push_back({makeProgram(test), test.chip, uint64_t(&test - cases)});
  return trials;
}

/// Each case with its operands in an order other than rows first in both, which
/// is not the one of its neighbours, or in all of them.
static std::vector<Trial> listOrders() {
  // clang-format off
  const Case cases[] = {
      {"sm_80", "bf16", 200, 304, 136, 72, 128, 128, mma80},
      {"sm_80", "f16", 34, 66, 38, 0, 64, 128, mma64},
      {"sm_80", "bf16", 17, 65, 33, 0, 128, 128, mmaPlain},
      {"sm_90a", "f16", 72, 136, 200, 0, 64, 128, mmaTma},
      {"sm_90a", "bf16", 200, 304, 136, 72, 128, 128, wgmma128},
      {"sm_90a", "f16", 200, 328, 72, 0, 128, 256, "multiply = wgmma, copies = tma, warps = 8, producers = 4, stages = 2, grid = 2", 1, 64},
      {"sm_90a", "bf16", 72, 8, 24, 0, 64, 128, wgmma64},
      {"sm_80", "f32", 17, 65, 33, 0, 64, 128, fma32Plain},
      {"sm_90a", "f32", 100, 300, 136, 36, 64, 256, fma32, 1, 128},
  };
  // clang-format on
  std::vector<Trial> trials;
  for (const Case &test : cases)
    for (int order = 1; order < 4; ++order) {
      if (!isFullRun() && (&test - cases) % 3 != order - 1)
        continue;
      GemmProgram program = makeProgram(test);
      program.leftDepthFirst = order & 1;
      program.rightDepthFirst = order & 2;
      trials.push_back({program, test.chip, uint64_t(&test - cases)});
    }
  return trials;
}

/// Clusters, with even and odd numbers of rows of tiles, each case with threads
/// in another order, or in several.
static std::vector<Trial> listClusters() {
  static constexpr llvm::StringLiteral two(
      "multiply = wgmma, copies = tma, warps = 8, producers = 4, "
      "stages = 3, grid = 2, cluster = 2"),
      four("multiply = wgmma, copies = tma, warps = 4, producers = 4, "
           "stages = 2, grid = 4, cluster = 2"),
      mma("multiply = mma, copies = tma, warps = 4, producers = 4, "
          "stages = 2, grid = 2, cluster = 2");
  // clang-format off
  const Case cases[] = {
      {"sm_90a", "bf16", 256, 128, 64, 0, 128, 128, two},
      {"sm_90a", "f16", 300, 300, 136, 72, 128, 128, two, 2},
      {"sm_90a", "bf16", 17, 65, 328, 0, 64, 128, four},
      {"sm_90a", "bf16", 500, 260, 200, 0, 64, 128, four},
      {"sm_90a", "bf16", 330, 130, 200, 0, 64, 128, four, 16},
      {"sm_90a", "bf16", 150, 65, 72, 0, 64, 128, four, 1, 0, -1, 2},
      {"sm_90a", "f16", 150, 130, 136, 136, 64, 128, four, 1, 0, -1, 0, true},
      {"sm_90a", "bf16", 330, 130, 200, 0, 64, 128, mma},
      {"sm_90a", "bf16", 150, 65, 72, 0, 64, 128, four, 1, 0, 0},
  };
  // clang-format on
  std::vector<Trial> trials;
  for (const Case &test : cases)
    for (uint64_t seed = 0; seed < 4; ++seed)
      if (isFullRun() || (&test - cases) % 4 == static_cast<int64_t>(seed))
        trials.push_back({makeProgram(test), test.chip, seed});
  for (int order = 1; order < 4; ++order) {
    GemmProgram program =
        makeProgram({"sm_90a", "bf16", 328, 136, 200, 72, 64, 128, four});
    program.leftDepthFirst = order & 1;
    program.rightDepthFirst = order & 2;
    trials.push_back({program, "sm_90a", uint64_t(order)});
  }
  return trials;
}

static std::string nameTrial(const testing::TestParamInfo<Trial> &info) {
  const GemmProgram &program = info.param.program;
  return llvm::formatv("{0}_{1}_{2}x{3}x{4}_{5}", info.param.chip, program.type,
                       program.m, program.n, program.k, info.index);
}

INSTANTIATE_TEST_SUITE_P(Sizes, TileGemmTest, testing::ValuesIn(listSizes()),
                         nameTrial);
INSTANTIATE_TEST_SUITE_P(Orders, TileGemmTest, testing::ValuesIn(listOrders()),
                         nameTrial);
INSTANTIATE_TEST_SUITE_P(Clusters, TileGemmTest,
                         testing::ValuesIn(listClusters()), nameTrial);
