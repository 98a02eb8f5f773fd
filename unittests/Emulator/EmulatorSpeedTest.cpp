//===- EmulatorSpeedTest.cpp - What a checked access costs ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Prints nanoseconds per checked access for the patterns that kernels consist
// of, and fails where one costs far more than it should: a whole fused layer
// must run in seconds.
//
//===----------------------------------------------------------------------===//

#include "GemmRun.h"
#include "llvm/Testing/Support/Error.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include <ctime>

using namespace parablock;
using namespace parablock::unittest;
using llvm::StringRef;
using llvm::Succeeded;
using llvm::Twine;

namespace {
/// A loop of `rounds` in every one of 256 threads; the body may use %i, the
/// round, and has `numAccesses`.
struct Pattern {
  const char *name;
  const char *body;
  unsigned numAccesses;
  /// Nanoseconds per access. Far above what it takes, for slow machines.
  double limit;
};

class EmulatorPatternTest : public testing::TestWithParam<Pattern> {};

void PrintTo(const Pattern &pattern, std::ostream *os) { *os << pattern.name; }
} // namespace

static constexpr uint32_t numThreads = 256, rounds = 4096;

static const Pattern patterns[] = {
    {"f32 from global memory, read by all",
     "  %p = getelementptr float, ptr addrspace(1) %in, i32 %i\n"
     "  %v = load float, ptr addrspace(1) %p, align 4\n"
     "  %n = fadd float %s, %v\n",
     1, 60},
    {"bf16 from global memory, read by all",
     "  %p = getelementptr i16, ptr addrspace(1) %in, i32 %i\n"
     "  %b = load i16, ptr addrspace(1) %p, align 2\n"
     "  %z = zext i16 %b to i32\n"
     "  %h = shl i32 %z, 16\n"
     "  %v = bitcast i32 %h to float\n"
     "  %n = fadd float %s, %v\n",
     1, 60},
    {"16 bytes from global memory, read by all",
     "  %j = and i32 %i, 1023\n"
     "  %p = getelementptr <4 x float>, ptr addrspace(1) %in, i32 %j\n"
     "  %v4 = load <4 x float>, ptr addrspace(1) %p, align 16\n"
     "  %v = extractelement <4 x float> %v4, i32 0\n"
     "  %n = fadd float %s, %v\n",
     1, 120},
    {"f32 through a generic pointer",
     "  %p = getelementptr float, ptr addrspace(1) %in, i32 %i\n"
     "  %g = addrspacecast ptr addrspace(1) %p to ptr\n"
     "  %v = load float, ptr %g, align 4\n"
     "  %n = fadd float %s, %v\n",
     1, 60},
    {"f32 from shared memory, read by all",
     "  %p = getelementptr float, ptr addrspace(3) @dyn, i32 %i\n"
     "  %v = load float, ptr addrspace(3) %p, align 4\n"
     "  %n = fadd float %s, %v\n",
     1, 60},
    {"f32 to and from the thread's own global memory",
     "  %t = mul i32 %tid, 16\n"
     "  %m = and i32 %i, 15\n"
     "  %j = add i32 %t, %m\n"
     "  %p = getelementptr float, ptr addrspace(1) %in, i32 %j\n"
     "  %v = load float, ptr addrspace(1) %p, align 4\n"
     "  %n = fadd float %v, 1.0\n"
     "  store float %n, ptr addrspace(1) %p, align 4\n",
     2, 60},
    {"f32 to and from the thread's own shared memory",
     "  %t = mul i32 %tid, 16\n"
     "  %m = and i32 %i, 15\n"
     "  %j = add i32 %t, %m\n"
     "  %p = getelementptr float, ptr addrspace(3) @dyn, i32 %j\n"
     "  %v = load float, ptr addrspace(3) %p, align 4\n"
     "  %n = fadd float %v, 1.0\n"
     "  store float %n, ptr addrspace(3) %p, align 4\n",
     2, 60},
    {"f32 from constants of the module",
     "  %m = and i32 %i, 15\n"
     "  %p = getelementptr float, ptr addrspace(4) @table, i32 %m\n"
     "  %v = load float, ptr addrspace(4) %p, align 4\n"
     "  %n = fadd float %s, %v\n",
     1, 60},
    {"tid.x", // an operation of the table
     "  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n"
     "  %v = sitofp i32 %t to float\n"
     "  %n = fadd float %s, %v\n",
     1, 60},
    {"ex2.approx",
     "  %v = call float @llvm.nvvm.ex2.approx.ftz.f32(float %s)\n"
     "  %n = fmul float %v, -0.5\n",
     1, 200},
    {"shfl.sync.bfly",
     "  %v = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %s, i32 1, "
     "i32 31)\n"
     "  %n = fmul float %v, 0.5\n",
     1, 250},
};

INSTANTIATE_TEST_SUITE_P(, EmulatorPatternTest, testing::ValuesIn(patterns),
                         [](const auto &info) {
                           std::string name = info.param.name;
                           for (char &c : name)
                             c = llvm::isAlnum(c) ? c : '_';
                           return name;
                         });

static std::string makeLoop(const Pattern &pattern) {
  std::string fill; // 16 KiB of shared memory, 16 floats per thread
  for (int i = 0; i < 16; ++i) {
    std::string n = std::to_string(i);
    fill += "  %fi" + n + " = add i32 %base, " + std::to_string(256 * i) +
            "\n  %fp" + n +
            " = getelementptr float, ptr addrspace(3) @dyn, i32 %fi" + n +
            "\n  store float 1.0, ptr addrspace(3) %fp" + n + ", align 4\n";
  }
  return makeKernel("ptr addrspace(1) %in, ptr addrspace(1) %out",
                    "  %base = add i32 %tid, 0\n" + Twine(fill) +
                        "  call void @llvm.nvvm.barrier.cta.sync.aligned.all("
                        "i32 0)\n"
                        "  br label %loop\n"
                        "loop:\n"
                        "  %i = phi i32 [0, %0], [%i1, %loop]\n"
                        "  %s = phi float [0.0, %0], [%n, %loop]\n" +
                        pattern.body +
                        "  %i1 = add i32 %i, 1\n"
                        "  %go = icmp ult i32 %i1, " +
                        Twine(rounds) +
                        "\n"
                        "  br i1 %go, label %loop, label %end\n"
                        "end:\n"
                        "  %po = getelementptr float, ptr addrspace(1) %out, "
                        "i32 %tid\n"
                        "  store float %n, ptr addrspace(1) %po, align 4\n",
                    "@table = internal addrspace(4) constant [16 x float] "
                    "zeroinitializer\n");
}

/// Gives the time of the processor, so that other programs do not count.
static double seconds() { return double(std::clock()) / CLOCKS_PER_SEC; }

TEST_P(EmulatorPatternTest, CostsLittle) {
#if LLVM_ADDRESS_SANITIZER_BUILD || LLVM_THREAD_SANITIZER_BUILD
  GTEST_SKIP() << "code with sanitizers has other costs";
#endif
  const Pattern &pattern = GetParam();
  TestDevice device;
  auto *in = device.put(std::vector<float>(rounds, 1.0f), "in");
  auto *out = device.makeRoom<float>(numThreads, "out");
  EmulatorOptions options;
  options.hostThreads = 1;
  std::string text = makeLoop(pattern);
  auto emulator = Emulator::create(llvm::MemoryBufferRef(text, "test"),
                                   *device.memory, options);
  ASSERT_THAT_EXPECTED(emulator, Succeeded()) << "compiles";
  double best = 1e9;
  for (int repetition = 0; repetition < 3; ++repetition) {
    double start = seconds();
    auto result =
        (*emulator)->launch("k", oneCta(numThreads, 16384),
                            {KernelArgument::of(in), KernelArgument::of(out)});
    best = std::min(best, seconds() - start);
    ASSERT_THAT_EXPECTED(result, Succeeded()) << "launches";
    EXPECT_THAT(*result, IsClean()) << pattern.name;
  }
  double cost =
      1e9 * best / (double(numThreads) * rounds * pattern.numAccesses);
  llvm::outs() << llvm::format("%7.1f ns: ", cost) << pattern.name << "\n";
  EXPECT_LT(cost, pattern.limit) << "nanoseconds";
}

TEST(EmulatorSpeedTest, GemmsRunWithoutAReport) {
  GemmRun gemm80({256, 256, 512}), gemm90({256, 128, 1024, true});
  EmulatorOptions options;
  options.hostThreads = 1;
  auto measure = [&](StringRef name, GemmRun &gemm, auto run) {
    GemmOutcome outcome = run();
    EXPECT_THAT(outcome.result, IsClean()) << name.str();
    double macs = double(gemm.problem.m) * gemm.problem.n * gemm.problem.k;
    double taken = outcome.result.hostSeconds;
    llvm::outs() << llvm::format("%7.1f ms, %.2f GMAC/s: ", 1e3 * taken,
                                 1e-9 * macs / taken)
                 << name << "\n";
  };
  std::string text80 = readInput("gemm_sm80.ll");
  std::string text90 = readInput("gemm_sm90.ll");
  for (StringRef text : {text80, text90}) {
    TestDevice device;
    double start = seconds();
    auto emulator = Emulator::create(llvm::MemoryBufferRef(text, "test"),
                                     *device.memory, options);
    EXPECT_THAT_EXPECTED(emulator, Succeeded()) << "compiles";
    llvm::outs() << llvm::format("%7.1f ms: ", 1e3 * (seconds() - start))
                 << "compilation of a GEMM\n";
  }
  measure("sm_80 GEMM", gemm80,
          [&] { return runGemm80(gemm80, text80, options); });
  measure("sm_90 GEMM", gemm90,
          [&] { return runGemm90(gemm90, text90, 1, options); });
}
