//===- EmulatorMathTest.cpp - Approximations within their bounds ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "TestDevice.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include <cmath>
#include <limits>

using namespace parablock;
using namespace parablock::unittest;
using llvm::Twine;

static const float infinity = std::numeric_limits<float>::infinity();

/// `body` computes the float %y from the float %x, or, with two inputs, %x and
/// %z.
static std::vector<float> compute(const Twine &body,
                                  const std::vector<float> &x) {
  TestDevice device;
  std::string kernel = makeKernel(
      "ptr addrspace(1) %in, ptr addrspace(1) %out",
      "  %p = getelementptr float, ptr addrspace(1) %in, i32 %tid\n"
      "  %x = load float, ptr addrspace(1) %p\n" +
          body +
          "  %q = getelementptr float, ptr addrspace(1) %out, i32 %tid\n"
          "  store float %y, ptr addrspace(1) %q\n");
  auto *out = device.makeRoom<float>(x.size(), "out");
  auto *in = device.put(x, "in");
  EXPECT_THAT(run(device, kernel, "k", oneCta(static_cast<uint32_t>(x.size())),
                  {KernelArgument::of(in), KernelArgument::of(out)}),
              IsClean())
      << "no reports";
  return device.get(out, x.size());
}

static std::string callIntrinsic(llvm::StringRef name) {
  return ("  %y = call float @llvm.nvvm." + name + "(float %x)\n").str();
}

static std::string callAsm(llvm::StringRef name) {
  return ("  %y = call float asm \"" + name +
          " $0, $1;\", \"=f,f\"(float %x)\n")
      .str();
}

static std::vector<float> spread(float from, float to) {
  std::vector<float> values(512);
  for (size_t i = 0; i < values.size(); ++i)
    values[i] = from + (to - from) * static_cast<float>(i) / 511;
  return values;
}

using Exact = double (*)(double);

/// The largest error, relative or absolute.
static double measure(const std::vector<float> &x, const std::vector<float> &y,
                      Exact exact, bool relative) {
  double worst = 0;
  for (size_t i = 0; i < x.size(); ++i) {
    double want = exact(x[i]), error = std::fabs(y[i] - want);
    worst = std::max(worst,
                     relative && want != 0 ? error / std::fabs(want) : error);
  }
  return worst;
}

static void checkBound(llvm::StringRef name, const std::string &body,
                       float from, float to, Exact exact, double bound,
                       bool relative = true) {
  std::vector<float> x = spread(from, to), y = compute(body, x);
  double error = measure(x, y, exact, relative);
  EXPECT_LE(error, bound) << name.str();
}

static double exactExp2(double x) { return std::exp2(x); }
static double exactLog2(double x) { return std::log2(x); }
static double exactReciprocal(double x) { return 1 / x; }
static double exactRsqrt(double x) { return 1 / std::sqrt(x); }
static double exactSqrt(double x) { return std::sqrt(x); }
static double exactTanh(double x) { return std::tanh(x); }
static double exactSin(double x) { return std::sin(x); }
static double exactCos(double x) { return std::cos(x); }

namespace {
/// An approximation, the range to look at and its documented bound.
struct Approximation {
  const char *name;
  float from, to;
  Exact exact;
  double bound;
  bool relative;
  /// The end of the intrinsic's name; null where there is no form without .ftz.
  const char *suffix;
};
} // namespace

TEST(EmulatorMathTest, ApproximationsAreWithinTheirBounds) {
  // Twice the unit in the last place of a float, relatively.
  const double twoUlp = 0x1p-22;
  const Approximation approximations[] = {
      {"ex2.approx", -20, 20, exactExp2, twoUlp, true, ""},
      {"lg2.approx", 0.5f, 2, exactLog2, 0x1p-22, false, ".f"},
      {"lg2.approx", 3, 3000, exactLog2, twoUlp, true, ".f"},
      {"rcp.approx", 0.01f, 30, exactReciprocal, 0x1p-23, true, nullptr},
      {"rsqrt.approx", 0.01f, 30, exactRsqrt, 0x1p-22, true, ".f"},
      {"sqrt.approx", 0.01f, 30, exactSqrt, 0x1p-22, true, ".f"},
      {"sin.approx", -3, 3, exactSin, 0x1p-20, false, ".f"},
      {"cos.approx", -3, 3, exactCos, 0x1p-20, false, ".f"},
  };
  for (const Approximation &entry : approximations)
    for (const char *flushing : {"", ".ftz"}) {
      std::string stem = std::string(entry.name) + flushing;
      checkBound("assembly " + stem, callAsm(stem + ".f32"), entry.from,
                 entry.to, entry.exact, entry.bound, entry.relative);
      bool isExp2 = entry.exact == exactExp2;
      std::string intrinsic = stem + (isExp2         ? ".f32"
                                      : entry.suffix ? entry.suffix
                                                     : ".f");
      if (entry.suffix || *flushing)
        checkBound("intrinsic " + intrinsic, callIntrinsic(intrinsic),
                   entry.from, entry.to, entry.exact, entry.bound,
                   entry.relative);
    }
  checkBound("tanh", callAsm("tanh.approx.f32"), -4, 4, exactTanh, 0x1p-11);
  for (const char *name :
       {"div.full", "div.full.ftz", "div.approx.f", "div.approx.ftz.f"})
    checkBound(name,
               ("  %y = call float @llvm.nvvm." + Twine(name) +
                "(float 1.0, float %x)\n")
                   .str(),
               1, 7, exactReciprocal, twoUlp);

  // A kernel that relies on more than tanh promises must show it.
  std::vector<float> x = spread(0.1f, 2);
  EXPECT_GT(measure(x, compute(callAsm("tanh.approx.f32"), x), exactTanh, true),
            0x1p-13)
      << "tanh is no better than it says";
}

/// Bit for bit, NaN being like any other.
static void checkValues(llvm::StringRef name, const std::string &body,
                        const std::vector<float> &x,
                        const std::vector<float> &want) {
  std::vector<float> y = compute(body, x);
  for (size_t i = 0; i < x.size(); ++i)
    if (!(std::isnan(y[i]) && std::isnan(want[i])))
      EXPECT_EQ(llvm::bit_cast<uint32_t>(y[i]),
                llvm::bit_cast<uint32_t>(want[i]))
          << name.str() << "(" << x[i] << ") is " << y[i] << ", not "
          << want[i];
}

TEST(EmulatorMathTest, SpecialValuesAreExact) {
  const float tiny = 1e-40f, nan = std::nanf("");
  checkValues("ex2", callIntrinsic("ex2.approx.f32"),
              {-infinity, infinity, 0, 3, nan}, {0, infinity, 1, 8, nan});
  checkValues("ex2.ftz", callIntrinsic("ex2.approx.ftz.f32"), {-130, tiny},
              {0, 1});
  checkValues("ex2 keeps small results", callIntrinsic("ex2.approx.f32"),
              {-130}, {0x1p-130f});
  checkValues("lg2", callIntrinsic("lg2.approx.f"), {0, 1, 8, -1, infinity},
              {-infinity, 0, 3, nan, infinity});
  checkValues("lg2.ftz", callIntrinsic("lg2.approx.ftz.f"), {tiny},
              {-infinity});
  checkValues("rcp.ftz", callIntrinsic("rcp.approx.ftz.f"),
              {tiny, 4, -infinity}, {infinity, 0.25f, -0.0f});
  checkValues("rsqrt", callIntrinsic("rsqrt.approx.f"), {0, 4, -1, infinity},
              {infinity, 0.5f, nan, 0});
  checkValues("tanh", callAsm("tanh.approx.f32"), {-infinity, 0, infinity},
              {-1, 0, 1});
  checkValues("saturate", callIntrinsic("saturate.f"), {-1, 0.5f, 2, nan},
              {0, 0.5f, 1, 0});
  checkValues("fmax",
              "  %y = call float @llvm.nvvm.fmax.f(float %x, float 1.0)\n",
              {nan, 0, 2}, {1, 1, 2});
  checkValues("fmax.nan",
              "  %y = call float @llvm.nvvm.fmax.nan.f(float %x, float 1.0)\n",
              {nan, 0, 2}, {nan, 1, 2});
  checkValues("fma.rn",
              "  %y = call float @llvm.nvvm.fma.rn.f(float %x, float %x, float "
              "-1.0)\n",
              {1 + 0x1p-20f}, {0x1p-19f + 0x1p-40f});
}

static uint32_t convertOne(const Twine &body, float x) {
  return llvm::bit_cast<uint32_t>(
      compute(body + "  %y = bitcast i32 %r to float\n", {x})[0]);
}

TEST(EmulatorMathTest, ConversionsRoundAsDocumented) {
  // 1 + 2^-11 is halfway between tf32 numbers.
  const float tie = 1 + 0x1p-11f;
  EXPECT_EQ(
      convertOne("  %r = call i32 @llvm.nvvm.f2tf32.rna(float %x)\n", tie),
      0x3F802000u)
      << "tf32 ties away";
  EXPECT_EQ(convertOne("  %r = call i32 asm \"cvt.rna.tf32.f32 $0, $1;\", "
                       "\"=r,f\"(float %x)\n",
                       -tie),
            0xBF802000u)
      << "tf32 asm";
  EXPECT_EQ(convertOne("  %r = call i32 @llvm.nvvm.f2tf32.rn(float %x)\n", tie),
            0x3F800000u)
      << "tf32 ties to even";
  EXPECT_EQ(convertOne("  %v = call <2 x bfloat> @llvm.nvvm.ff2bf16x2.rn("
                       "float %x, float 2.0)\n"
                       "  %r = bitcast <2 x bfloat> %v to i32\n",
                       1.0f + 0x1p-8f + 0x1p-12f),
            0x3F814000u)
      << "bf16x2 has the first operand above";
  EXPECT_EQ(convertOne("  %r = call i32 asm \"cvt.rn.f16x2.f32 $0, $1, $2;\", "
                       "\"=r,f,f\"(float %x, float -2.0)\n",
                       1.0f),
            0x3C00C000u)
      << "f16x2 asm";
  EXPECT_EQ(convertOne("  %r = call i32 asm \"cvt.rn.bf16x2.f32 $0, $1, "
                       "$2;\", \"=r,f,f\"(float %x, float -2.0)\n",
                       1.0f),
            0x3F80C000u)
      << "bf16x2 asm";
  EXPECT_EQ(convertOne("  %v = call <2 x half> @llvm.nvvm.ff2f16x2.rn(float "
                       "%x, float 2.0)\n"
                       "  %r = bitcast <2 x half> %v to i32\n",
                       1.0f),
            0x3C004000u)
      << "f16x2 has the first operand above";
  // tanh(0.5) = 0.46212 and tanh(-2) = -0.96403, rounded to 8 and 11 bits.
  EXPECT_EQ(convertOne("  %r = call i32 asm \"tanh.approx.bf16x2 $0, $1;\", "
                       "\"=r,r\"(i32 -1073725696)\n",
                       0),
            uint32_t(toBF16Bits(-0.96403)) << 16 | toBF16Bits(0.46212))
      << "tanh of two bf16";
  EXPECT_EQ(convertOne("  %r = call i32 asm \"tanh.approx.f16x2 $0, $1;\", "
                       "\"=r,r\"(i32 -1073727488)\n",
                       0),
            uint32_t(toF16Bits(-0.96403)) << 16 | toF16Bits(0.46212))
      << "tanh of two f16";
  EXPECT_EQ(convertOne("  %v = fptrunc float %x to bfloat\n"
                       "  %s = bitcast bfloat %v to i16\n"
                       "  %r = zext i16 %s to i32\n",
                       1 + 0x1p-8f),
            0x3F80u)
      << "fptrunc to bf16 rounds to even";
  EXPECT_EQ(convertOne("  %v = fptrunc float %x to half\n"
                       "  %s = bitcast half %v to i16\n"
                       "  %r = zext i16 %s to i32\n",
                       0x1p-24f),
            1u)
      << "fptrunc to f16";
  EXPECT_EQ(convertOne("  %b = bitcast float %x to i32\n"
                       "  %r = call i32 @llvm.nvvm.prmt(i32 %b, i32 "
                       "287454020, i32 29184)\n",
                       1.0f),
            0x11800000u)
      << "prmt";
}
