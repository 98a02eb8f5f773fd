//===- TileGemmTest.cpp - Products from tile kernels to the emulator ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "DeviceTensors.h"
#include "FullRun.h"
#include "GemmProgram.h"

#include "llvm/Support/FormatVariadic.h"
#include <cmath>

using namespace parablock;
using namespace parablock::unittest;

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

/// With threads in the order that `seed` makes.
static void checkGemm(const GemmProgram &program, llvm::StringRef chip,
                      uint64_t seed) {
  std::string name = llvm::formatv(
      "{0} {1} {2}x{3}x{4}+{5} tile {6}x{7}{8}{9}: {10}", chip, program.type,
      program.m, program.n, program.k, program.k2, program.tileRows,
      program.tileColumns, program.leftDepthFirst ? " left depth first" : "",
      program.rightDepthFirst ? " right depth first" : "", program.schedule);
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

  llvm::outs() << name << "\n";
  EmulatorOptions options;
  options.scheduleSeed = seed;
  TileKernel kernel(device, program.text(), chip, options);
  kernel.launch(bindTensors(kernel, tensors));
  CHECK_EQUAL(name + " writes all",
              llvm::cantFail(device.memory->countUninitialized(out, 4 * count)),
              uint64_t(0));
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
  record(worst < 1e-5, name + " is right", __FILE__, __LINE__,
         "error of " + std::to_string(worst));
}

static constexpr llvm::StringLiteral
    mma80("multiply = mma, copies = async, warps = 8, stages = 3, grid = 2"),
    mma64("multiply = mma, copies = async, warps = 4, stages = 2, grid = 3"),
    mmaPlain("multiply = mma, copies = plain, warps = 8, stages = 2, grid = 2"),
    mmaOne("multiply = mma, copies = async, warps = 4, stages = 1, grid = 1"),
    mmaTma("multiply = mma, copies = tma, warps = 4, producers = 4, stages = 2,"
           " grid = 1"),
    wgmma128("multiply = wgmma, copies = tma, warps = 8, producers = 4, "
             "stages = 4, grid = 2"),
    wgmma64("multiply = wgmma, copies = tma, warps = 4, producers = 4, "
            "stages = 3, grid = 2"),
    fma32("multiply = fma, copies = async, warps = 8, stages = 2, grid = 2"),
    fma32Plain(
        "multiply = fma, copies = plain, warps = 8, stages = 2, grid = 2");

namespace {
struct Case {
  llvm::StringRef chip, type;
  int64_t m, n, k, k2, tileRows, tileColumns;
  llvm::StringRef schedule;
  int64_t pieces = 1, stagedColumns = 0, steps = -1, batches = 0;
  bool isChained = false;
};
} // namespace

/// The kernels of large products, as a module: what becomes of them is checked
/// elsewhere.
static void print(llvm::StringRef chip) {
  struct Large {
    const char *name;
    int64_t rows, columns;
    llvm::StringRef type, schedule;
    bool isHopper = false, leftDepthFirst = false, rightDepthFirst = false;
  };
  static const Large kernels[] = {
      {"mma_128x128", 128, 128, "bf16", mma80},
      {"mma_64x128", 64, 128, "f16",
       "multiply = mma, copies = async, warps = 4, stages = 3, grid = 1"},
      {"mma_64x256", 64, 256, "bf16",
       "multiply = mma, copies = async, warps = 8, stages = 2, grid = 1"},
      {"mma_plain", 128, 128, "f16", mmaPlain},
      {"fma_64x128", 64, 128, "f32", fma32},
      {"fma_64x256", 64, 256, "f32", fma32},
      {"wgmma_128x128", 128, 128, "bf16", wgmma128, true},
      {"wgmma_128x256", 128, 256, "f16",
       "multiply = wgmma, copies = tma, warps = 8, producers = 4, stages = 3, "
       "grid = 1",
       true},
      {"wgmma_64x128", 64, 128, "f16", wgmma64, true},
      {"wgmma_64x256", 64, 256, "bf16", wgmma64, true},
      {"left_wgmma_128x128", 128, 128, "bf16", wgmma128, true, true, false},
      {"right_wgmma_128x128", 128, 128, "f16", wgmma128, true, false, true},
      {"both_wgmma_128x128", 128, 128, "bf16", wgmma128, true, true, true},
      {"cluster_128x128", 128, 128, "bf16",
       "multiply = wgmma, copies = tma, warps = 8, producers = 4, stages = 4, "
       "grid = 132, cluster = 2",
       true},
      {"left_mma_128x128", 128, 128, "bf16", mma80, false, true, false},
      {"right_mma_128x128", 128, 128, "f16", mma80, false, false, true},
      {"both_mma_128x128", 128, 128, "bf16", mma80, false, true, true},
      {"left_fma_64x128", 64, 128, "f32", fma32, false, true, false},
      {"right_fma_64x128", 64, 128, "f32", fma32, false, false, true},
      {"both_fma_64x128", 64, 128, "f32", fma32, false, true, true},
  };
  llvm::outs() << "gpu.module @kernels {\n";
  for (const Large &large : kernels) {
    if (large.isHopper && chip != "sm_90a")
      continue;
    GemmProgram program;
    program.name = large.name;
    program.type = large.type.str();
    program.m = program.n = program.k = 4096;
    program.k2 = 1024;
    program.tileRows = large.rows;
    program.tileColumns = large.columns;
    program.schedule = large.schedule.str();
    program.stagedColumns = 128;
    program.leftDepthFirst = large.leftDepthFirst;
    program.rightDepthFirst = large.rightDepthFirst;
    llvm::outs() << program.kernel();
  }
  llvm::outs() << "}\n";
}

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

/// Each case with its operands in an order other than rows first in both, which
/// is not the one of its neighbours, or in all of them.
static void checkOrders() {
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
  for (const Case &test : cases)
    for (int order = 1; order < 4; ++order) {
      if (!isFullRun() && (&test - cases) % 3 != order - 1)
        continue;
      GemmProgram program = makeProgram(test);
      program.leftDepthFirst = order & 1;
      program.rightDepthFirst = order & 2;
      checkGemm(program, test.chip, &test - cases);
    }
}

/// Clusters, with even and odd numbers of rows of tiles, each case with threads
/// in another order, or in several.
static void checkClusters() {
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
  for (const Case &test : cases)
    for (uint64_t seed = 0; seed < 4; ++seed)
      if (isFullRun() || (&test - cases) % 4 == static_cast<int64_t>(seed))
        checkGemm(makeProgram(test), test.chip, seed);
  for (int order = 1; order < 4; ++order) {
    GemmProgram program =
        makeProgram({"sm_90a", "bf16", 328, 136, 200, 72, 64, 128, four});
    program.leftDepthFirst = order & 1;
    program.rightDepthFirst = order & 2;
    checkGemm(program, "sm_90a", order);
  }
}

int main(int argc, char **argv) {
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
  if (argc == 3 && llvm::StringRef(argv[1]) == "--print") {
    print(argv[2]);
    return 0;
  }
  for (const Case &test : cases)
    checkGemm(makeProgram(test), test.chip, &test - cases);
  checkOrders();
  checkClusters();
  return finish();
}
