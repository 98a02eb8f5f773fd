//===- EmulatorMatrixTest.cpp - ldmatrix, stmatrix, mma.sync --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "TestDevice.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace parablock;
using namespace parablock::unittest;
using llvm::Twine;

//===----------------------------------------------------------------------===//
// ldmatrix, stmatrix
//===----------------------------------------------------------------------===//

namespace {
/// A number of matrices, and whether they are transposed.
class MatrixCopyTest
    : public testing::TestWithParam<std::tuple<unsigned, bool>> {};
} // namespace

INSTANTIATE_TEST_SUITE_P(, MatrixCopyTest,
                         testing::Combine(testing::Values(1, 2, 4),
                                          testing::Bool()));

/// `count` results as "{i32, i32}" or "i32".
static std::string resultType(unsigned count) {
  std::string type = "i32";
  for (unsigned i = 1; i < count; ++i)
    type += ", i32";
  return count == 1 ? type : "{" + type + "}";
}

/// Each lane puts 4 words of `in` into shared memory, loads matrices whose rows
/// are 16 bytes at 16 * lane, and gives them out.
static std::string makeLoadKernel(unsigned count, bool transposed) {
  std::string type = resultType(count), body;
  body += "  %o = shl i32 %lane, 4\n"
          "  %row = getelementptr i8, ptr addrspace(3) @st, i32 %o\n"
          "  %src = getelementptr i8, ptr addrspace(1) %in, i32 %o\n"
          "  %v = load <4 x i32>, ptr addrspace(1) %src, align 16\n"
          "  store <4 x i32> %v, ptr addrspace(3) %row, align 16\n"
          "  call void @llvm.nvvm.bar.warp.sync(i32 -1)\n";
  body += ("  %m = call " + type + " @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x" +
           Twine(count) + (transposed ? ".trans" : "") +
           ".b16.p3(ptr addrspace(3) %row)\n"
           "  %base = mul i32 %lane, " +
           Twine(count) + "\n")
              .str();
  for (unsigned i = 0; i < count; ++i) {
    std::string value = "%m";
    if (count > 1) {
      value = ("%e" + Twine(i)).str();
      body += "  " + value + " = extractvalue " + type + " %m, " +
              llvm::utostr(i) + "\n";
    }
    body += ("  %i" + Twine(i) + " = add i32 %base, " + Twine(i) + "\n  %p" +
             Twine(i) + " = getelementptr i32, ptr addrspace(1) %out, i32 %i" +
             Twine(i) + "\n  store i32 " + value + ", ptr addrspace(1) %p" +
             Twine(i) + "\n")
                .str();
  }
  return makeKernel("ptr addrspace(1) %in, ptr addrspace(1) %out", body,
                    "@st = internal addrspace(3) global [512 x i8] undef, "
                    "align 16\n");
}

TEST_P(MatrixCopyTest, LoadsElements) {
  auto [count, transposed] = GetParam();
  TestDevice device;
  std::vector<uint16_t> in(256);
  for (size_t i = 0; i < in.size(); ++i)
    in[i] = static_cast<uint16_t>(i * 40503);
  auto *inAddress = device.put(in, "in");
  auto *out = device.makeRoom<uint16_t>(64 * count, "out");
  std::string name =
      ("ldmatrix.x" + Twine(count) + (transposed ? ".trans" : "")).str();
  EXPECT_THAT(run(device, makeLoadKernel(count, transposed), "k", oneCta(32),
                  {KernelArgument::of(inAddress), KernelArgument::of(out)}),
              IsClean())
      << name;
  std::vector<uint16_t> got = device.get(out, 64 * count);
  bool allRight = true;
  for (unsigned lane = 0; lane < 32; ++lane)
    for (unsigned q = 0; q < count; ++q)
      for (unsigned half = 0; half < 2; ++half) {
        unsigned row = lane / 4, column = lane % 4 * 2 + half;
        if (transposed)
          std::swap(row, column);
        allRight &= got[(lane * count + q) * 2 + half] ==
                    in[(8 * q + row) * 8 + column];
      }
  EXPECT_TRUE(allRight) << (name + " elements");
}

/// stmatrix, then every lane gives out its 16 bytes of shared memory.
TEST_P(MatrixCopyTest, StoresElements) {
  auto [count, transposed] = GetParam();
  std::string operands,
      body = "  %o = shl i32 %lane, 4\n"
             "  %row = getelementptr i8, ptr addrspace(3) @dyn, "
             "i32 %o\n"
             "  %n = mul i32 %lane, " +
             llvm::utostr(count) + "\n";
  for (unsigned i = 0; i < count; ++i) {
    body += ("  %i" + Twine(i) + " = add i32 %n, " + Twine(i) + "\n  %p" +
             Twine(i) + " = getelementptr i32, ptr addrspace(1) %in, i32 %i" +
             Twine(i) + "\n  %v" + Twine(i) +
             " = load i32, ptr addrspace(1) %p" + Twine(i) + "\n")
                .str();
    operands += (", i32 %v" + Twine(i)).str();
  }
  body += ("  call void @llvm.nvvm.stmatrix.sync.aligned.m8n8.x" +
           Twine(count) + (transposed ? ".trans" : "") +
           ".b16.p3(ptr addrspace(3) %row" + operands +
           ")\n"
           "  call void @llvm.nvvm.bar.warp.sync(i32 -1)\n"
           "  %mine = icmp ult i32 %lane, " +
           Twine(8 * count) +
           "\n  br i1 %mine, label %give, label %done\ngive:\n"
           "  %r = load <4 x i32>, ptr addrspace(3) %row, align 16\n"
           "  %q = getelementptr i8, ptr addrspace(1) %out, i32 %o\n"
           "  store <4 x i32> %r, ptr addrspace(1) %q, align 16\n"
           "  br label %done\ndone:\n")
              .str();
  std::string kernel =
      makeKernel("ptr addrspace(1) %in, ptr addrspace(1) %out", body);
  TestDevice device;
  std::vector<uint16_t> in(64 * count);
  for (size_t i = 0; i < in.size(); ++i)
    in[i] = static_cast<uint16_t>(i * 40503 + 1);
  auto *inAddress = device.put(in, "in");
  auto *out = device.makeRoom<uint16_t>(64 * count, "out");
  std::string name =
      ("stmatrix.x" + Twine(count) + (transposed ? ".trans" : "")).str();
  EXPECT_THAT(run(device, kernel, "k", oneCta(32, 512),
                  {KernelArgument::of(inAddress), KernelArgument::of(out)}),
              IsClean())
      << name;
  std::vector<uint16_t> got = device.get(out, 64 * count);
  bool allRight = true;
  for (unsigned lane = 0; lane < 32; ++lane)
    for (unsigned q = 0; q < count; ++q)
      for (unsigned half = 0; half < 2; ++half) {
        unsigned row = lane / 4, column = lane % 4 * 2 + half;
        if (transposed)
          std::swap(row, column);
        allRight &= got[(8 * q + row) * 8 + column] ==
                    in[(lane * count + q) * 2 + half];
      }
  EXPECT_TRUE(allRight) << (name + " elements");
}

//===----------------------------------------------------------------------===//
// mma.sync
//===----------------------------------------------------------------------===//

namespace {
enum class Format { BF16, F16, TF32 };

struct MmaCase {
  const char *name;
  Format format;
  unsigned depth;
  bool halfAccumulators;
};

class MmaTest : public testing::TestWithParam<MmaCase> {};
} // namespace

static void PrintTo(const MmaCase &test, std::ostream *os) { *os << test.name; }

INSTANTIATE_TEST_SUITE_P(
    , MmaTest,
    testing::Values(MmaCase{"m16n8k16.row.col.bf16", Format::BF16, 16, false},
                    MmaCase{"m16n8k16.row.col.f32.f32", Format::F16, 16, false},
                    MmaCase{"m16n8k16.row.col.f16.f16", Format::F16, 16, true},
                    MmaCase{"m16n8k8.row.col.bf16", Format::BF16, 8, false},
                    MmaCase{"m16n8k8.row.col.f32.f32", Format::F16, 8, false},
                    MmaCase{"m16n8k8.row.col.f16.f16", Format::F16, 8, true},
                    MmaCase{"m16n8k8.row.col.tf32", Format::TF32, 8, false},
                    MmaCase{"m16n8k4.row.col.tf32", Format::TF32, 4, false}),
    [](const auto &info) {
      std::string name = info.param.name;
      std::replace(name.begin(), name.end(), '.', '_');
      return name;
    });

static uint32_t encode(double value, Format format) {
  switch (format) {
  case Format::BF16:
    return toBF16Bits(value);
  case Format::F16:
    return toF16Bits(value);
  case Format::TF32:
    return llvm::bit_cast<uint32_t>(static_cast<float>(value));
  }
  return 0;
}

/// Loads the registers of A, B and C, 12 words a lane, and gives out D, 4.
static std::string makeMmaKernel(const MmaCase &test) {
  unsigned perStep = test.format == Format::TF32 ? 4 : 8;
  unsigned numA = 2 * test.depth / perStep, numB = test.depth / perStep;
  unsigned numC = test.halfAccumulators ? 2 : 4;
  const char *typeAB = test.format == Format::F16 ? "<2 x half>" : "i32";
  const char *typeC = test.halfAccumulators ? "<2 x half>" : "float";
  std::string body = "  %in12 = mul i32 %lane, 12\n", operands, result;
  auto load = [&](unsigned i, const char *type) {
    std::string n = llvm::utostr(i);
    body += "  %i" + n + " = add i32 %in12, " + n + "\n  %p" + n +
            " = getelementptr i32, ptr addrspace(1) %in, i32 %i" + n +
            "\n  %v" + n + " = load " + type + ", ptr addrspace(1) %p" + n +
            ", align 4\n";
    operands += (operands.empty() ? "" : ", ") + std::string(type) + " %v" + n;
  };
  for (unsigned i = 0; i < numA + numB; ++i)
    load(i, typeAB);
  for (unsigned i = 0; i < numC; ++i) {
    load(numA + numB + i, typeC);
    result += (i == 0 ? "" : ", ") + std::string(typeC);
  }
  result = "{" + result + "}";
  body += "  %d = call " + result + " @llvm.nvvm.mma." + test.name + "(" +
          operands + ")\n  %out4 = mul i32 %lane, 4\n";
  for (unsigned i = 0; i < numC; ++i) {
    std::string n = llvm::utostr(i);
    body += "  %d" + n + " = extractvalue " + result + " %d, " + n + "\n  %j" +
            n + " = add i32 %out4, " + n + "\n  %q" + n +
            " = getelementptr i32, ptr addrspace(1) %out, i32 %j" + n +
            "\n  store " + typeC + " %d" + n + ", ptr addrspace(1) %q" + n +
            ", align 4\n";
  }
  return makeKernel("ptr addrspace(1) %in, ptr addrspace(1) %out", body);
}

/// The fragments by the tables of the PTX ISA, element by element: for each
/// matrix, a function from (row, column) to (lane, register, half).
TEST_P(MmaTest, MatchesDouble) {
  const MmaCase &test = GetParam();
  unsigned depth = test.depth;
  std::vector<double> a = drawValues("a", 16 * depth),
                      b = drawValues("b", depth * 8), c = drawValues("c", 128);
  bool narrow = test.format != Format::TF32;
  unsigned perStep = narrow ? 8 : 4;
  unsigned numA = 2 * depth / perStep, numB = depth / perStep;
  std::vector<uint32_t> in(32 * 12);
  auto place = [&](unsigned lane, unsigned slot, unsigned half, uint32_t bits) {
    in[lane * 12 + slot] |= bits << 16 * half;
  };
  for (unsigned row = 0; row < 16; ++row)
    for (unsigned k = 0; k < depth; ++k) {
      unsigned inStep = k % perStep;
      unsigned lane = row % 8 * 4 + (narrow ? inStep / 2 : inStep);
      unsigned slot = (row >= 8 ? 1 : 0) + 2 * (k / perStep);
      place(lane, slot, narrow ? k % 2 : 0,
            encode(a[row * depth + k], test.format));
    }
  for (unsigned k = 0; k < depth; ++k)
    for (unsigned column = 0; column < 8; ++column) {
      unsigned inStep = k % perStep;
      unsigned lane = column * 4 + (narrow ? inStep / 2 : inStep);
      place(lane, numA + k / perStep, narrow ? k % 2 : 0,
            encode(b[k * 8 + column], test.format));
    }
  auto locate = [&](unsigned row, unsigned column, unsigned &lane,
                    unsigned &element) {
    lane = row % 8 * 4 + column / 2;
    element = (row >= 8 ? 2 : 0) + column % 2;
  };
  for (unsigned row = 0; row < 16; ++row)
    for (unsigned column = 0; column < 8; ++column) {
      unsigned lane, element;
      locate(row, column, lane, element);
      double value = c[row * 8 + column];
      if (test.halfAccumulators)
        place(lane, numA + numB + element / 2, element % 2, toF16Bits(value));
      else
        place(lane, numA + numB + element, 0,
              llvm::bit_cast<uint32_t>(static_cast<float>(value)));
    }

  TestDevice device;
  auto *inAddress = device.put(in, "in");
  auto *out = device.makeRoom<uint32_t>(32 * 4, "out");
  EXPECT_THAT(run(device, makeMmaKernel(test), "k", oneCta(32),
                  {KernelArgument::of(inAddress), KernelArgument::of(out)}),
              IsClean())
      << test.name;
  std::vector<uint32_t> got = device.get(out, 32 * 4);
  double worst = 0;
  for (unsigned row = 0; row < 16; ++row)
    for (unsigned column = 0; column < 8; ++column) {
      double want = test.halfAccumulators ? roundToF16(c[row * 8 + column])
                                          : c[row * 8 + column];
      for (unsigned k = 0; k < depth; ++k)
        want += a[row * depth + k] * b[k * 8 + column];
      unsigned lane, element;
      locate(row, column, lane, element);
      double seen =
          test.halfAccumulators
              ? fromF16Bits(static_cast<uint16_t>(got[lane * 4 + element / 2] >>
                                                  16 * (element % 2)))
              : llvm::bit_cast<float>(got[lane * 4 + element]);
      worst = std::max(worst, std::fabs(seen - want));
    }
  EXPECT_LT(worst, test.halfAccumulators ? 1e-3 : 1e-6);
}

/// tf32 multiplication looks at the upper 19 bits only.
TEST(EmulatorMatrixTest, Tf32IgnoresTheLowerBits) {
  TestDevice device;
  std::vector<uint32_t> in(32 * 12);
  for (unsigned lane = 0; lane < 32; ++lane)
    for (unsigned i = 0; i < 6; ++i)
      in[lane * 12 + i] = 0x3F800FFF; // 1 and a bit that tf32 does not have
  auto *inAddress = device.put(in, "in");
  auto *out = device.makeRoom<float>(32 * 4, "out");
  MmaCase test = {"m16n8k8.row.col.tf32", Format::TF32, 8, false};
  EXPECT_THAT(run(device, makeMmaKernel(test), "k", oneCta(32),
                  {KernelArgument::of(inAddress), KernelArgument::of(out)}),
              IsClean())
      << "tf32 truncation";
  EXPECT_EQ(device.get(out, 1)[0], 8.0f) << "tf32 ignores the lower bits";
}
