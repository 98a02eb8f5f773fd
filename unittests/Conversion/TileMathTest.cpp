//===- TileMathTest.cpp - errors of functions on the device ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Runs every function that convert-tile-to-nvvm writes out itself over its
// range, and holds docs/internals/DeviceMath.md to what comes out.
//
//===----------------------------------------------------------------------===//

#include "TileRun.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"
#include <cmath>
#include <limits>

using namespace parablock;
using namespace parablock::unittest;

static constexpr size_t numSamples = 128 * 128;

namespace {
struct Function {
  const char *name;
  double (*exact)(double);
  /// Where errors are measured; with `logarithmic`, samples are evenly spread
  /// over exponents, of both signs where `low` is negative.
  double low, high;
  bool logarithmic;
  /// True of an error that is relative.
  bool relative;
};
} // namespace

static double exp2Of(double x) { return std::exp2(x); }
static double rsqrtOf(double x) { return 1 / std::sqrt(x); }

static const Function functions[] = {
    {"exp", [](double x) { return std::exp(x); }, -87, 88.7, false, true},
    {"exp2", exp2Of, -125, 127.9, false, true},
    {"log", [](double x) { return std::log(x); }, 1e-40, 3e38, true, true},
    {"log2", [](double x) { return std::log2(x); }, 1e-40, 3e38, true, true},
    {"tanh", [](double x) { return std::tanh(x); }, -20, 20, true, true},
    {"erf", [](double x) { return std::erf(x); }, -6, 6, true, true},
    {"rsqrt", rsqrtOf, 1e-37, 3e38, true, true},
    {"sin", [](double x) { return std::sin(x); }, -1e4, 1e4, false, false},
    {"atan", [](double x) { return std::atan(x); }, -1e6, 1e6, true, true},
    {"cbrt", [](double x) { return std::cbrt(x); }, -3e38, 3e38, true, true},
    {"cosh", [](double x) { return std::cosh(x); }, -89, 89, true, true},
    {"erfc", [](double x) { return std::erfc(x); }, -6, 9, false, true},
    {"expm1", [](double x) { return std::expm1(x); }, -88, 88, true, true},
    {"log10", [](double x) { return std::log10(x); }, 1e-40, 3e38, true, true},
    {"log1p", [](double x) { return std::log1p(x); }, 1e-30, 3e38, true, true},
    {"sinh", [](double x) { return std::sinh(x); }, -89, 89, true, true},
    {"tan", [](double x) { return std::tan(x); }, -1e6, 1e6, true, true},
    {"cos", [](double x) { return std::cos(x); }, -1e4, 1e4, false, false},
};

static std::string makeKernelText(llvm::StringRef name) {
  return ("gpu.module @kernels {\n"
          "  tile.kernel @f(%x: memref<128x128xf32>, %y: memref<128x128xf32>) "
          "attributes {outputs = 1 : i64, schedule = #tile.schedule<warps = 8, "
          "grid = 2>} {\n"
          "    %c0 = arith.constant 0 : index\n"
          "    %c128 = arith.constant 128 : index\n"
          "    tile.rows %row below %c128 grid {\n"
          "      tile.columns %column = %c0 to %c128 {\n"
          "        %0 = tile.load %x[%row, %column] : memref<128x128xf32> to "
          "f32\n"
          "        %1 = math." +
          name +
          " %0 : f32\n"
          "        tile.store %1, %y[%row, %column] : f32 to "
          "memref<128x128xf32>\n"
          "      }\n"
          "    }\n"
          "    tile.return\n"
          "  }\n"
          "}\n")
      .str();
}

/// Samples of the range, then values that are special to every function.
static std::vector<float> makeInputs(const Function &function) {
  std::vector<float> values;
  SeededStream stream(1, function.name);
  std::vector<double> drawn(numSamples);
  stream.fillUniform(0, drawn);
  for (double part : drawn) {
    double low = function.low, high = function.high;
    if (!function.logarithmic) {
      values.push_back(low + part * (high - low));
      continue;
    }
    bool bothSigns = low < 0;
    double sign = bothSigns && part < 0.5 ? -1 : 1;
    if (bothSigns)
      part = std::fmod(2 * part, 1);
    double least = std::log(bothSigns ? 1e-30 : low);
    // Most samples lie where the function bends.
    if (bothSigns)
      part = std::pow(part, 0.2);
    values.push_back(sign * std::exp(least + part * (std::log(high) - least)));
  }
  const float infinity = std::numeric_limits<float>::infinity();
  const float special[] = {0.0f,     -0.0f,     1.0f,          -1.0f,
                           infinity, -infinity, std::nanf(""), 1e-45f,
                           -1e-45f,  3.4e38f,   -3.4e38f,      100.0f,
                           -100.0f,  -104.5f,   -150.5f,       0.5f};
  std::copy(std::begin(special), std::end(special), values.end() - 16);
  return values;
}

/// Infinities, zeros and NaNs are as they should be; angles may be too large.
static void checkSpecial(const Function &function, float x, float got) {
  auto want = static_cast<float>(function.exact(x));
  bool isAngle = !function.relative || function.name == std::string("tan");
  if (isAngle && !(std::fabs(x) <= function.high))
    return;
  if (std::isnan(want))
    EXPECT_TRUE(std::isnan(got)) << function.name << "(" << x << ") is " << got;
  else if (std::isinf(want) || want == 0)
    EXPECT_EQ(got, want) << function.name << "(" << x << ")";
  else
    EXPECT_NEAR(got, want, 1e-6 * std::fabs(want) + 1e-45)
        << function.name << "(" << x << ")";
}

static double measure(const Function &function, llvm::StringRef chip) {
  TestDevice device;
  std::vector<float> inputs = makeInputs(function);
  EmulatorOptions options;
  options.checks = false;
  TileKernel kernel(device, makeKernelText(function.name), chip, options);
  float *x = device.put(inputs, "x");
  float *y = device.makeRoom<float>(numSamples, "y");
  kernel.launch({KernelArgument::of(x), KernelArgument::of(y)});
  std::vector<float> results = device.get(y, numSamples);
  double worst = 0;
  for (size_t i = 0; i < numSamples - 16; ++i) {
    double want = function.exact(inputs[i]);
    double error = std::fabs(results[i] - want);
    if (function.relative)
      error /= std::fabs(want);
    worst = error <= worst ? worst : error; // a NaN is worst
  }
  for (size_t i = numSamples - 16; i < numSamples; ++i)
    checkSpecial(function, inputs[i], results[i]);
  return worst;
}

/// The bound that the documentation gives: the last column of "| `exp` | ...".
static double findBound(llvm::StringRef text, llvm::StringRef name) {
  auto [before, row] = text.split(("| `" + name + "` |").str());
  auto [line, rest] = row.split('\n');
  llvm::StringRef number = line.rtrim().drop_back().rsplit('|').second.trim();
  double bound = 0;
  EXPECT_FALSE(number.getAsDouble(bound))
      << ("expected a number, got '" + number + "'").str();
  return bound;
}

namespace {
class TileMathTest : public testing::TestWithParam<Function> {};

void PrintTo(const Function &function, std::ostream *os) {
  *os << function.name;
}
} // namespace

INSTANTIATE_TEST_SUITE_P(, TileMathTest, testing::ValuesIn(functions),
                         [](const auto &info) { return info.param.name; });

TEST_P(TileMathTest, HasTheErrorThatIsDocumented) {
  auto documentation = llvm::MemoryBuffer::getFile(PARABLOCK_DEVICE_MATH);
  ASSERT_TRUE(documentation);
  double bound = findBound((*documentation)->getBuffer(), GetParam().name);
  double error = measure(GetParam(), "sm_90a");
  EXPECT_LE(error, bound);
  EXPECT_GT(error, bound / 3) << "the documentation says too much";
}
