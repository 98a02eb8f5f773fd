//===- GemmRun.h - The GEMM kernels of the unit tests -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_UNITTESTS_EMULATOR_GEMMRUN_H
#define PARABLOCK_UNITTESTS_EMULATOR_GEMMRUN_H

#include "TestDevice.h"
#include "llvm/Support/MemoryBuffer.h"
#include <cmath>
#include <optional>

namespace parablock::unittest {

/// The text of a kernel in Inputs/.
inline std::string readInput(llvm::StringRef name) {
  auto buffer = llvm::MemoryBuffer::getFile(PARABLOCK_TEST_INPUTS "/" + name);
  EXPECT_TRUE(buffer) << name.str();
  return buffer ? (*buffer)->getBuffer().str() : "";
}

/// C = epilogue(A B^T) of bf16 matrices; where `epilogue`, each row is scaled,
/// a bias added, SiLU applied and a residual added.
struct GemmProblem {
  uint32_t m = 128, n = 128, k = 128;
  bool epilogue = false;
};

struct GemmOutcome {
  LaunchResult result;
  /// The largest error against double, relative to 1 + |value|.
  double error = 0;
  uint64_t numUnwritten = 0;
  std::vector<uint16_t> c;
};

/// A GEMM's operands on a device, and its result.
class GemmRun {
public:
  explicit GemmRun(GemmProblem problem)
      : problem(problem), a(drawValues("a", size_t(problem.m) * problem.k)),
        b(drawValues("b", size_t(problem.n) * problem.k)),
        residual(drawValues("residual", size_t(problem.m) * problem.n)),
        scale(drawValues("scale", problem.m)),
        bias(drawValues("bias", problem.n)) {
    addressA = putNarrow(a, "A");
    addressB = putNarrow(b, "B");
    addressC = device.makeRoom<uint16_t>(size_t(problem.m) * problem.n, "C");
    addressResidual = putNarrow(residual, "residual");
    addressScale = putFloat(scale, "scale");
    addressBias = putFloat(bias, "bias");
  }

  GemmOutcome run(llvm::StringRef text, llvm::StringRef kernel,
                  const LaunchConfig &config,
                  llvm::ArrayRef<KernelArgument> arguments,
                  EmulatorOptions options = {}) {
    size_t count = size_t(problem.m) * problem.n;
    llvm::cantFail(device.memory->poison(addressC, 2 * count));
    GemmOutcome outcome;
    outcome.result = parablock::unittest::run(device, text, kernel, config,
                                              arguments, options);
    outcome.numUnwritten =
        llvm::cantFail(device.memory->countUninitialized(addressC, 2 * count));
    outcome.c = device.get(addressC, count);
    for (uint32_t i = 0; i < problem.m; ++i)
      for (uint32_t j = 0; j < problem.n; ++j) {
        double want = compute(i, j);
        double got = fromBF16Bits(outcome.c[size_t(i) * problem.n + j]);
        double error = std::fabs(got - want) / (1 + std::fabs(want));
        // A NaN is an infinite error.
        if (!(error <= outcome.error))
          outcome.error = std::isnan(error) ? INFINITY : error;
      }
    return outcome;
  }

  GemmProblem problem;
  /// The k that the launch says instead of the problem's.
  std::optional<uint32_t> launchedDepth;
  TestDevice device;
  uint16_t *addressA, *addressB, *addressC, *addressResidual;
  float *addressScale, *addressBias;

private:
  uint16_t *putNarrow(const std::vector<double> &values, llvm::StringRef name) {
    std::vector<uint16_t> bits;
    for (double value : values)
      bits.push_back(toBF16Bits(value));
    return device.put(bits, name);
  }
  float *putFloat(const std::vector<double> &values, llvm::StringRef name) {
    return device.put(std::vector<float>(values.begin(), values.end()), name);
  }
  double compute(uint32_t i, uint32_t j) const {
    double sum = 0;
    for (uint32_t k = 0; k < problem.k; ++k)
      sum += a[size_t(i) * problem.k + k] * b[size_t(j) * problem.k + k];
    if (!problem.epilogue)
      return sum;
    double x = sum * scale[i] + bias[j];
    return x / (1 + std::exp(-x)) + residual[size_t(i) * problem.n + j];
  }

  std::vector<double> a, b, residual, scale, bias;
};

/// The sm_80 kernel: 128 x 128 x 32 tiles, 3 stages of cp.async, 8 warps.
inline GemmOutcome runGemm80(GemmRun &gemm, llvm::StringRef text,
                             EmulatorOptions options = {}) {
  LaunchConfig config;
  config.grid.x = gemm.problem.n / 128;
  config.grid.y = gemm.problem.m / 128;
  config.block.x = 256;
  config.dynamicSharedBytes = 3 * 2 * 128 * 64;
  return gemm.run(
      text, "gemm80", config,
      {KernelArgument::of(gemm.addressA), KernelArgument::of(gemm.addressB),
       KernelArgument::of(gemm.addressC),
       KernelArgument::of(gemm.launchedDepth.value_or(gemm.problem.k)),
       KernelArgument::of(gemm.problem.n)},
      options);
}

/// A map of rows of `columns` bf16 values with boxes of 64 x `boxRows`.
inline EmulatedTensorMap mapRows(const void *address, uint64_t rows,
                                 uint64_t columns, uint32_t boxRows) {
  uint64_t dims[] = {columns, rows}, strides[] = {2 * columns};
  uint32_t box[] = {64, boxRows}, ones[] = {1, 1};
  EmulatedTensorMap map;
  encodeTensorMap(map, TensorMapType::BF16, 2, address, dims, strides, box,
                  ones, TensorMapSwizzle::Bytes128);
  return map;
}

/// The warp-specialised sm_90 kernel: 128 x 64 x 64 tiles, 3 stages of tensor
/// copies, two consumer warpgroups, the whole epilogue; with `clusterSize` 2
/// the CTAs of a cluster share the tile of B.
inline GemmOutcome runGemm90(GemmRun &gemm, llvm::StringRef text,
                             uint32_t clusterSize = 1,
                             EmulatorOptions options = {}) {
  const GemmProblem &problem = gemm.problem;
  LaunchConfig config;
  config.grid.x = 2;
  config.cluster.x = clusterSize;
  config.block.x = 384;
  config.dynamicSharedBytes = 3 * (128 + 64) * 128 + 1024 + 2 * 64 * 64 * 2;
  return gemm.run(
      text, "gemm", config,
      {KernelArgument::of(mapRows(gemm.addressA, problem.m, problem.k, 128)),
       KernelArgument::of(
           mapRows(gemm.addressB, problem.n, problem.k, 64 / clusterSize)),
       KernelArgument::of(mapRows(gemm.addressC, problem.m, problem.n, 64)),
       KernelArgument::of(gemm.addressScale),
       KernelArgument::of(gemm.addressBias),
       KernelArgument::of(gemm.addressResidual),
       KernelArgument::of(problem.k / 64), KernelArgument::of(problem.m / 128),
       KernelArgument::of(problem.m / 128 * (problem.n / 64)),
       KernelArgument::of(problem.n)},
      options);
}

} // namespace parablock::unittest

#endif // PARABLOCK_UNITTESTS_EMULATOR_GEMMRUN_H
