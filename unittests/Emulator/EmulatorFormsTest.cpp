//===- EmulatorFormsTest.cpp - What compilers to NVVM emit ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The spellings of LLVM IR in which kernels come: arithmetic intrinsics,
// conversions, tables and variables of the module, static and dynamic shared
// memory, functions, local arrays, switches, and the assembly that MLIR has for
// operations without an intrinsic.
//
//===----------------------------------------------------------------------===//

#include "TestDevice.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include <cmath>
#include <functional>

using namespace parablock;
using namespace parablock::unittest;
using llvm::StringRef;
using llvm::Twine;

/// Runs `body`, which computes the float %r from the float %x and %tid, in 64
/// threads.
static std::vector<float> compute(StringRef name, const Twine &body,
                                  const std::vector<float> &x,
                                  StringRef globals = "") {
  TestDevice device;
  std::string kernel = makeKernel(
      "ptr addrspace(1) %in, ptr addrspace(1) %out",
      "  %p = getelementptr float, ptr addrspace(1) %in, i32 %tid\n"
      "  %x = load float, ptr addrspace(1) %p, align 4\n" +
          body +
          "  %q = getelementptr float, ptr addrspace(1) %out, i32 %tid\n"
          "  store float %r, ptr addrspace(1) %q, align 4\n",
      globals);
  auto *out = device.makeRoom<float>(x.size(), "out");
  auto *in = device.put(x, "in");
  EXPECT_THAT(run(device, kernel, "k",
                  oneCta(static_cast<uint32_t>(x.size()), 4096),
                  {KernelArgument::of(in), KernelArgument::of(out)}),
              IsClean())
      << name.str();
  return device.get(out, x.size());
}

static std::vector<float> makeInput() {
  std::vector<float> x(64);
  for (int i = 0; i < 64; ++i)
    x[i] = 0.37f * static_cast<float>(i - 31);
  return x;
}

static void check(StringRef name, const Twine &body,
                  const std::function<double(int, double)> &want,
                  double tolerance = 0, StringRef globals = "") {
  std::vector<float> x = makeInput(), got = compute(name, body, x, globals);
  for (int i = 0; i < 64; ++i) {
    double expected = want(i, x[i]);
    ASSERT_NEAR(got[i], expected, tolerance * (1 + std::fabs(expected)))
        << name.str() << " in thread " << i;
  }
}

TEST(EmulatorFormsTest, KnowsArithmeticIntrinsics) {
  struct Unary {
    const char *name;
    double (*exact)(double);
    double tolerance;
  };
  const Unary unaries[] = {
      {"fabs", [](double x) { return std::fabs(x); }, 0},
      {"floor", [](double x) { return std::floor(x); }, 0},
      {"ceil", [](double x) { return std::ceil(x); }, 0},
      {"trunc", [](double x) { return std::trunc(x); }, 0},
      {"rint", [](double x) { return std::nearbyint(x); }, 0},
      {"nearbyint", [](double x) { return std::nearbyint(x); }, 0},
      {"roundeven", [](double x) { return std::nearbyint(x); }, 0},
      {"round", [](double x) { return std::round(x); }, 0},
      {"exp", [](double x) { return std::exp(x); }, 1e-6},
      {"exp2", [](double x) { return std::exp2(x); }, 1e-6},
      {"sin", [](double x) { return std::sin(x); }, 1e-6},
      {"cos", [](double x) { return std::cos(x); }, 1e-6},
      {"tanh", [](double x) { return std::tanh(x); }, 1e-6},
  };
  for (const Unary &entry : unaries)
    check(
        entry.name,
        "  %r = call float @llvm." + Twine(entry.name) + ".f32(float %x)\n",
        [&](int, double x) { return entry.exact(x); }, entry.tolerance);
  check("sqrt",
        "  %a = call float @llvm.fabs.f32(float %x)\n"
        "  %r = call float @llvm.sqrt.f32(float %a)\n",
        [](int, double x) { return float(std::sqrt(std::fabs(x))); });
  check(
      "fma, powi, copysign, minnum and maxnum",
      "  %a = call float @llvm.fma.f32(float %x, float 2.0, float 1.0)\n"
      "  %b = call float @llvm.copysign.f32(float 3.0, float %x)\n"
      "  %c = call float @llvm.minnum.f32(float %a, float 8.0)\n"
      "  %d = call float @llvm.maxnum.f32(float %c, float -8.0)\n"
      "  %r = fadd float %d, %b\n",
      [](int, double x) {
        return std::max(std::min(std::fma(x, 2.0, 1.0), 8.0), -8.0) +
               std::copysign(3.0, x);
      },
      1e-6);
  check(
      "minimum and maximum, fmuladd",
      "  %a = call float @llvm.minimum.f32(float %x, float 1.0)\n"
      "  %b = call float @llvm.maximum.f32(float %a, float -1.0)\n"
      "  %r = call float @llvm.fmuladd.f32(float %b, float 4.0, float 1.0)\n",
      [](int, double x) { return std::max(std::min(x, 1.0), -1.0) * 4 + 1; },
      1e-6);
  check("integers",
        "  %a = call i32 @llvm.umin.i32(i32 %tid, i32 9)\n"
        "  %b = call i32 @llvm.smax.i32(i32 %a, i32 3)\n"
        "  %c = call i32 @llvm.ctpop.i32(i32 %b)\n"
        "  %d = call i32 @llvm.fshl.i32(i32 %c, i32 %c, i32 4)\n"
        "  %r = sitofp i32 %d to float\n",
        [](int i, double) {
          int b = std::max(std::min(i, 9), 3);
          return 16.0 * __builtin_popcount(b);
        });
}

TEST(EmulatorFormsTest, Converts) {
  auto bf16 = [](double x) { return roundToBF16(x); };
  check("scalar bf16",
        "  %a = fptrunc float %x to bfloat\n"
        "  %b = fmul bfloat %a, 2.0\n"
        "  %r = fpext bfloat %b to float\n",
        [&](int, double x) { return 2 * bf16(x); });
  check("vector of bf16",
        "  %v0 = insertelement <2 x float> poison, float %x, i32 0\n"
        "  %v1 = insertelement <2 x float> %v0, float 1.0, i32 1\n"
        "  %a = fptrunc <2 x float> %v1 to <2 x bfloat>\n"
        "  %i = bitcast <2 x bfloat> %a to i32\n"
        "  %l = shl i32 %i, 16\n"
        "  %r = bitcast i32 %l to float\n",
        [&](int, double x) { return bf16(x); });
  check(
      "half",
      "  %a = fptrunc float %x to half\n"
      "  %b = fadd half %a, 1.0\n"
      "  %r = fpext half %b to float\n",
      [](int, double x) { return x + 1; }, 1e-3);
  check(
      "half by way of double",
      "  %d = fpext float %x to double\n"
      "  %a = fptrunc double %d to half\n"
      "  %b = fptrunc double %d to bfloat\n"
      "  %e = fpext half %a to float\n"
      "  %f = fpext bfloat %b to float\n"
      "  %r = fadd float %e, %f\n",
      [](int, double x) { return 2 * x; }, 5e-3);
  check("integers and back",
        "  %a = fptosi float %x to i32\n"
        "  %b = sitofp i32 %a to bfloat\n"
        "  %c = fpext bfloat %b to float\n"
        "  %d = uitofp i32 %tid to float\n"
        "  %r = fadd float %c, %d\n",
        [](int i, double x) { return std::trunc(x) + i; });
}

TEST(EmulatorFormsTest, KnowsEveryKindOfMemory) {
  for (StringRef space : {"addrspace(1)", "addrspace(4)", ""}) {
    std::string table =
        ("@table = internal " + space +
         " constant [4 x float] [float 1.0, float 2.0, float 4.0, float "
         "8.0], align 16\n")
            .str();
    check(("table in " + (space.empty() ? StringRef("generic") : space) +
           " memory")
              .str(),
          "  %m = and i32 %tid, 3\n"
          "  %e = getelementptr [4 x float], ptr " +
              Twine(space) +
              " @table, i32 0, i32 %m\n"
              "  %r = load float, ptr " +
              space + " %e, align 4\n",
          [](int i, double) { return double(1 << (i & 3)); }, 0, table);
  }
  check(
      "static variables next to dynamic memory",
      "  %e1 = getelementptr [64 x float], ptr addrspace(3) @first, i32 0, "
      "i32 %tid\n"
      "  %e2 = getelementptr [64 x float], ptr addrspace(3) @second, i32 0, "
      "i32 %tid\n"
      "  %e3 = getelementptr float, ptr addrspace(3) @dyn, i32 %tid\n"
      "  store float %x, ptr addrspace(3) %e1, align 4\n"
      "  store float 1.0, ptr addrspace(3) %e2, align 4\n"
      "  store float 2.0, ptr addrspace(3) %e3, align 4\n"
      "  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)\n"
      "  %n = xor i32 %tid, 63\n"
      "  %f1 = getelementptr [64 x float], ptr addrspace(3) @first, i32 0, "
      "i32 %n\n"
      "  %f2 = getelementptr [64 x float], ptr addrspace(3) @second, i32 0, "
      "i32 %n\n"
      "  %f3 = getelementptr float, ptr addrspace(3) @dyn, i32 %n\n"
      "  %a = load float, ptr addrspace(3) %f1, align 4\n"
      "  %b = load float, ptr addrspace(3) %f2, align 4\n"
      "  %c = load float, ptr addrspace(3) %f3, align 4\n"
      "  %s = fadd float %a, %b\n"
      "  %r = fadd float %s, %c\n",
      [](int i, double) { return double(0.37f * float(63 - i - 31)) + 3; },
      1e-6,
      "@first = internal addrspace(3) global [64 x float] undef, align 16\n"
      "@second = private addrspace(3) global [64 x float] poison\n");
  check(
      "local arrays and functions",
      "  %l = alloca [8 x float], align 16\n"
      "  %m = and i32 %tid, 7\n"
      "  %e = getelementptr [8 x float], ptr %l, i32 0, i32 %m\n"
      "  store float %x, ptr %e, align 4\n"
      "  %r = call float @twice(ptr %e)\n",
      [](int, double x) { return 2 * x; }, 0,
      "define internal float @twice(ptr %p) {\n"
      "  %v = load float, ptr %p, align 4\n"
      "  %w = fadd float %v, %v\n"
      "  ret float %w\n}\n");
  check("switch and phi",
        "  %m = and i32 %tid, 3\n"
        "  switch i32 %m, label %other [ i32 0, label %zero\n"
        "                                i32 1, label %one ]\n"
        "zero:\n  br label %end\n"
        "one:\n  br label %end\n"
        "other:\n  br label %end\n"
        "end:\n"
        "  %r = phi float [ 10.0, %zero ], [ 11.0, %one ], [ %x, %other ]\n",
        [](int i, double x) { return i % 4 < 2 ? 10.0 + i % 4 : x; });
}

TEST(EmulatorFormsTest, WarpsExchangeValues) {
  struct Shuffle {
    const char *name, *operands;
    int (*source)(int);
  };
  const Shuffle shuffles[] = {
      {"bfly", "i32 4, i32 31", [](int lane) { return lane ^ 4; }},
      {"idx", "i32 3, i32 31", [](int) { return 3; }},
      {"idx", "i32 1, i32 6175", [](int lane) { return (lane & 24) | 1; }},
      {"down", "i32 2, i32 31",
       [](int lane) { return lane < 30 ? lane + 2 : lane; }},
      {"up", "i32 2, i32 0",
       [](int lane) { return lane > 1 ? lane - 2 : lane; }},
  };
  auto from = [](const Shuffle &shuffle, int i) {
    return i / 32 * 32 + shuffle.source(i % 32);
  };
  for (const Shuffle &shuffle : shuffles) {
    std::string call = "@llvm.nvvm.shfl.sync." + std::string(shuffle.name);
    check(call + " of f32",
          "  %r = call float " + Twine(call) + ".f32(i32 -1, float %x, " +
              shuffle.operands + ")\n",
          [&](int i, double) { return 0.37f * float(from(shuffle, i) - 31); });
    check(call + " of i32",
          "  %v = call i32 " + Twine(call) + ".i32(i32 -1, i32 %tid, " +
              shuffle.operands + ")\n  %r = sitofp i32 %v to float\n",
          [&](int i, double) { return from(shuffle, i); });
    check(call + " with its predicate",
          "  %s = call { float, i1 } " + Twine(call) +
              ".f32p(i32 -1, float %x, " + shuffle.operands +
              ")\n  %r = extractvalue { float, i1 } %s, 0\n",
          [&](int i, double) { return 0.37f * float(from(shuffle, i) - 31); });
  }
  check("warp barrier, election, lane and warp",
        "  call void @llvm.nvvm.bar.warp.sync(i32 -1)\n"
        "  %e = call { i32, i1 } @llvm.nvvm.elect.sync(i32 -1)\n"
        "  %b = extractvalue { i32, i1 } %e, 1\n"
        "  %z = zext i1 %b to i32\n"
        "  %l = call i32 @llvm.nvvm.read.ptx.sreg.laneid()\n"
        "  %w = call i32 @llvm.nvvm.read.ptx.sreg.warpid()\n"
        "  %m = mul i32 %w, 100\n"
        "  %s = add i32 %l, %m\n"
        "  %t = mul i32 %z, 1000\n"
        "  %u = add i32 %s, %t\n"
        "  %r = sitofp i32 %u to float\n",
        [](int i, double) {
          return i % 32 + 100 * (i / 32) + (i % 32 ? 0 : 1000);
        });
}

/// The first warp arrives, the second waits: as intrinsics, and as the assembly
/// that MLIR has for the arrival.
TEST(EmulatorFormsTest, BarriersAreIntrinsicsOrAssembly) {
  for (StringRef arrival :
       {"call void asm sideeffect \"bar.arrive $0, $1;\", \"n,n\"(i32 1, i32 "
        "64)",
        "call void asm sideeffect \"bar.arrive $0, $1;\", \"r,n\"(i32 %id, i32 "
        "64)",
        "call void @llvm.nvvm.barrier.cta.arrive.aligned.count(i32 1, i32 64)"})
    check(arrival,
          "  %id = add i32 0, 1\n"
          "  %e = getelementptr float, ptr addrspace(3) @dyn, i32 %lane\n"
          "  %first = icmp ult i32 %tid, 32\n"
          "  br i1 %first, label %write, label %read\n"
          "write:\n"
          "  store float %x, ptr addrspace(3) %e, align 4\n  " +
              Twine(arrival) +
              "\n  br label %end\n"
              "read:\n"
              "  call void @llvm.nvvm.barrier.cta.sync.aligned.count(i32 1, "
              "i32 64)\n"
              "  %v = load float, ptr addrspace(3) %e, align 4\n"
              "  br label %end\n"
              "end:\n"
              "  %r = phi float [ %x, %write ], [ %v, %read ]\n",
          [](int i, double) { return 0.37f * float(i % 32 - 31); });
}

/// cp.async of 4, 8 and 16 bytes of which a register says how many come from
/// the source.
TEST(EmulatorFormsTest, CopiesFillWithZeros) {
  for (unsigned bytes : {4u, 8u, 16u}) {
    unsigned count = bytes / 4;
    for (StringRef cache : {"ca", "cg"}) {
      if (cache == "cg" && bytes != 16)
        continue;
      std::string name =
          ("@llvm.nvvm.cp.async." + cache + ".shared.global." + Twine(bytes))
              .str();
      // Threads that share a copy: the first of them issues it.
      check(name + ".s",
            "  %part = urem i32 %tid, " + Twine(count) +
                "\n  %e = getelementptr float, ptr addrspace(3) @dyn, i32 "
                "%tid\n"
                "  %issues = icmp eq i32 %part, 0\n"
                "  br i1 %issues, label %issue, label %next\n"
                "issue:\n"
                "  %early = icmp ult i32 %tid, 32\n"
                "  %size = select i1 %early, i32 " +
                Twine(bytes) + ", i32 " + Twine(bytes - 4) + "\n  call void " +
                name +
                ".s(ptr addrspace(3) %e, ptr addrspace(1) %p, i32 %size)\n"
                "  br label %next\n"
                "next:\n"
                "  call void @llvm.nvvm.cp.async.commit.group()\n"
                "  call void @llvm.nvvm.cp.async.wait.group(i32 0)\n"
                "  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)\n"
                "  %r = load float, ptr addrspace(3) %e, align 4\n",
            [&](int i, double x) {
              return i < 32 || i % count + 1 < count ? x : 0;
            });
    }
  }
}

/// ldmatrix x4, plain and transposed, of a 16 x 16 tile of numbers.
TEST(EmulatorFormsTest, LoadsMatrices) {
  for (bool transposed : {false, true})
    check(transposed ? "ldmatrix.x4.trans" : "ldmatrix.x4",
          "  %row = and i32 %lane, 15\n"
          "  %half = lshr i32 %lane, 4\n"
          // Rows of 16 numbers of 16 bits, a tile for each warp.
          "  %warp = lshr i32 %tid, 5\n"
          "  %tile = mul i32 %warp, 512\n"
          "  %o = mul i32 %row, 32\n"
          "  %oh = mul i32 %half, 16\n"
          "  %inTile = add i32 %o, %oh\n"
          "  %at = add i32 %tile, %inTile\n"
          "  %e = getelementptr i8, ptr addrspace(3) @dyn, i32 %at\n"
          "  %n0 = mul i32 %row, 16\n"
          "  %nh = mul i32 %half, 8\n"
          "  %n = add i32 %n0, %nh\n"
          "  %n16 = trunc i32 %n to i16\n"
          "  %one = insertelement <8 x i16> poison, i16 %n16, i32 0\n"
          "  %all = shufflevector <8 x i16> %one, <8 x i16> poison, <8 x i32> "
          "zeroinitializer\n"
          "  %v = add <8 x i16> %all, <i16 0, i16 1, i16 2, i16 3, i16 4, i16 "
          "5, i16 6, i16 7>\n"
          "  store <8 x i16> %v, ptr addrspace(3) %e, align 16\n"
          "  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)\n"
          "  %m = call { i32, i32, i32, i32 } "
          "@llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4." +
              Twine(transposed ? "trans." : "") +
              "b16.p3(ptr addrspace(3) %e)\n"
              "  %i = extractvalue { i32, i32, i32, i32 } %m, 2\n"
              "  %low = and i32 %i, 65535\n"
              "  %r = uitofp i32 %low to float\n",
          [&](int i, double) {
            int line = i % 32 / 4, place = 2 * (i % 4);
            int row = transposed ? place : line;
            int column = transposed ? line : place;
            return 16 * row + 8 + column; // matrix 2: rows 0-7, columns 8-15
          });
}
