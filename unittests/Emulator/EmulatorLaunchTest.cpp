//===- EmulatorLaunchTest.cpp - Memory, launches, refusals ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "TestDevice.h"
#include "llvm/Testing/Support/Error.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace parablock;
using namespace parablock::unittest;
using llvm::FailedWithMessage;
using llvm::Succeeded;
using llvm::Twine;
using testing::HasSubstr;
using testing::StartsWith;

TEST(EmulatorLaunchTest, DeviceMemoryKnowsWhatIsWritten) {
  TestDevice device;
  DeviceMemory &memory = *device.memory;
  auto *words = device.makeRoom<uint32_t>(4, "words");
  EXPECT_EQ(device.get(words, 1)[0], 0xFFFFFFFFu) << "fresh memory is poison";
  EXPECT_EQ(llvm::cantFail(memory.countUninitialized(words, 16)), 16u)
      << "nothing is written";
  uint32_t value = 5;
  EXPECT_THAT_ERROR(memory.upload(words + 1, &value, 4), Succeeded())
      << "upload";
  EXPECT_EQ(llvm::cantFail(memory.countUninitialized(words, 16)), 12u)
      << "one word is written";
  EXPECT_THAT_ERROR(memory.poison(words, 16), Succeeded()) << "poison";
  EXPECT_EQ(llvm::cantFail(memory.countUninitialized(words, 16)), 16u)
      << "poison again";
  EXPECT_THAT_ERROR(
      memory.upload(words + 3, &value, 8),
      FailedWithMessage(
          HasSubstr("upload of 8 bytes does not lie in a device allocation")))
      << "upload past the end";
  EXPECT_THAT_ERROR(memory.download(&value, &value, 4),
                    FailedWithMessage(HasSubstr("download of 4 bytes")))
      << "download from nowhere";
  EXPECT_THAT_ERROR(memory.release(words + 1),
                    FailedWithMessage(HasSubstr("live device allocation")))
      << "release of the middle";
  EXPECT_THAT_ERROR(memory.release(words), Succeeded()) << "release";
  EXPECT_THAT_ERROR(memory.release(words), FailedWithMessage(HasSubstr("live")))
      << "release twice";
  EXPECT_THAT_EXPECTED(memory.countUninitialized(words, 4),
                       FailedWithMessage(HasSubstr("count of 4 bytes")))
      << "use after release";
  auto small = llvm::cantFail(DeviceMemory::create(1 << 20));
  EXPECT_THAT_EXPECTED(
      small->allocate(1 << 21, "much"),
      FailedWithMessage(
          HasSubstr("no room for 2097152 bytes of device memory for 'much'")))
      << "more than there is";
}

static const char *addOne =
    "define ptx_kernel void @add(ptr addrspace(1) %data, i32 %count, half %h) "
    "\"nvvm.reqntid\"=\"32\" {\n"
    "  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n"
    "  %p = getelementptr i32, ptr addrspace(1) %data, i32 %t\n"
    "  %v = load i32, ptr addrspace(1) %p\n"
    "  %w = add i32 %v, %count\n"
    "  store i32 %w, ptr addrspace(1) %p\n"
    "  ret void\n"
    "}\n";

static std::unique_ptr<Emulator> compile(TestDevice &device,
                                         llvm::StringRef text) {
  auto emulator =
      Emulator::create(llvm::MemoryBufferRef(text, "test"), *device.memory);
  EXPECT_THAT_EXPECTED(emulator, Succeeded());
  return emulator ? std::move(*emulator) : nullptr;
}

TEST(EmulatorLaunchTest, LaunchesMustFitTheKernel) {
  TestDevice device;
  auto emulator = compile(device, addOne);
  ASSERT_TRUE(emulator);
  auto *data = device.put(std::vector<uint32_t>(32), "data");
  auto launch = [&](LaunchConfig config, size_t numArguments = 3,
                    llvm::StringRef name = "add") {
    std::vector<KernelArgument> arguments = {KernelArgument::of(data),
                                             KernelArgument::of(2),
                                             KernelArgument::of(uint16_t())};
    arguments.resize(numArguments, KernelArgument::of(uint64_t()));
    return emulator->launch(name, config, arguments);
  };
  EXPECT_EQ(llvm::join(emulator->getKernelNames(), ","), "add") << "kernels";
  auto first = launch(oneCta(32));
  EXPECT_THAT(*first, IsClean()) << "first launch";
  EXPECT_THAT(*launch(oneCta(32)), IsClean()) << "second launch";
  EXPECT_EQ(emulator->getNumLaunches(), 2u) << "two launches";
  EXPECT_EQ(device.get(data, 32)[31], 4u) << "data of both";
  EXPECT_EQ(first->opCounts["llvm.nvvm.read.ptx.sreg.tid.x"], 32u)
      << "counted operations";

  EXPECT_THAT_EXPECTED(
      launch(oneCta(32), 3, "sub"),
      FailedWithMessage(HasSubstr("the module has no kernel 'sub'")))
      << "unknown kernel";
  EXPECT_THAT_EXPECTED(
      launch(oneCta(64)),
      FailedWithMessage(HasSubstr(
          "kernel 'add': expected a block of (32, 1, 1), got (64, 1, 1)")))
      << "wrong block";
  EXPECT_THAT_EXPECTED(
      launch(oneCta(32), 2),
      FailedWithMessage(HasSubstr("expected 3 arguments, got 2")))
      << "too few arguments";
  EXPECT_THAT_EXPECTED(
      launch(oneCta(32), 4),
      FailedWithMessage(HasSubstr("expected 3 arguments, got 4")))
      << "too many arguments";
  EXPECT_THAT_EXPECTED(
      emulator->launch("add", oneCta(32),
                       {KernelArgument::of(data),
                        KernelArgument::of(uint64_t()),
                        KernelArgument::of(uint16_t())}),
      FailedWithMessage(HasSubstr("expected argument 1 of 4 bytes, got 8")))
      << "size of an argument";
  EXPECT_THAT_EXPECTED(
      launch(oneCta(32, 227 * 1024 + 1)),
      FailedWithMessage(HasSubstr(
          "expected at most 232448 bytes of shared memory, got 232449")))
      << "shared memory";
  LaunchConfig config = oneCta(32);
  config.cluster.x = 2;
  config.grid.x = 3;
  EXPECT_THAT_EXPECTED(
      launch(config),
      FailedWithMessage(HasSubstr("expected a grid of whole clusters")))
      << "part of a cluster";
  config.cluster.x = 17;
  EXPECT_THAT_EXPECTED(
      launch(config),
      FailedWithMessage(HasSubstr("expected a cluster of 1 to 16 CTAs")))
      << "size of a cluster";
  config = oneCta(32);
  config.grid.y = 0;
  EXPECT_THAT_EXPECTED(launch(config),
                       FailedWithMessage(HasSubstr("expected a grid")))
      << "empty grid";

  auto clustered = compile(device, "define ptx_kernel void @c() "
                                   "\"nvvm.cluster_dim\"=\"2,1,1\" {\n"
                                   "  ret void\n}\n");
  ASSERT_TRUE(clustered);
  EXPECT_THAT_EXPECTED(clustered->launch("c", oneCta(32), {}),
                       FailedWithMessage(HasSubstr(
                           "expected a cluster of (2, 1, 1), got (1, 1, 1)")))
      << "cluster of the kernel";
  EXPECT_THAT_EXPECTED(
      clustered->launch("c", oneCta(1025), {}),
      FailedWithMessage(HasSubstr("expected a block of 1 to 1024 threads")))
      << "size of a block";
}

static void checkRefused(llvm::StringRef name, llvm::StringRef text,
                         llvm::StringRef message) {
  TestDevice device;
  EXPECT_THAT_EXPECTED(
      Emulator::create(llvm::MemoryBufferRef(text, "test"), *device.memory),
      FailedWithMessage(HasSubstr(message)))
      << name.str();
}

TEST(EmulatorLaunchTest, RefusesWhatItDoesNotKnow) {
  checkRefused("no IR", "hello", "test:1: expected top-level entity");
  checkRefused("no kernel", "define void @f() {\n  ret void\n}\n",
               "the module has no kernel");
  auto body = [](const char *text) { return makeKernel("ptr %x", text); };
  checkRefused("unknown intrinsic",
               body("  call void @llvm.nvvm.pm.event.mask(i16 1)\n"),
               "k+2: the emulator does not know the intrinsic "
               "'llvm.nvvm.pm.event.mask'");
  checkRefused("unknown assembly",
               body("  call void asm sideeffect \"trap;\", \"\"()\n"),
               "k+2: the emulator does not know the assembly 'trap;'");
  checkRefused("assembly of two instructions",
               body("  %y = call float asm \"tanh.approx.f32 $0, $1; "
                    "tanh.approx.f32 $0, $0;\", \"=f,f\"(float 1.0)\n"),
               "does not know the assembly");
  checkRefused("wgmma of an unknown shape",
               body("  call void asm sideeffect \"wgmma.mma_async.sync.aligned."
                    "m64n8k32.s32.s8.s8 {$0}, $1, $2, 1, 1, 1;\", \"r,l,l\"("
                    "i32 0, i64 0, i64 0)\n"),
               "does not know the assembly");
  checkRefused("function without a body",
               "declare float @expf(float)\n" +
                   body("  %y = call float @expf(float 1.0)\n"),
               "function 'expf' has no body");
  checkRefused("intrinsic that touches memory",
               body("  call void @llvm.memcpy.inline.p0.p0.i64(ptr %x, ptr "
                    "%x, i64 4, i1 false)\n"),
               "does not know the intrinsic 'llvm.memcpy.inline.p0.p0.i64'");
  checkRefused("indirect call", body("  call void %x()\n"), "indirect call");
}

TEST(EmulatorLaunchTest, VariablesLieInTheirMemory) {
  // A constant table, a variable, static shared memory and local memory.
  TestDevice device;
  auto *out = device.makeRoom<uint32_t>(32, "out");
  std::string kernel = makeKernel(
      "ptr addrspace(1) %out",
      "  %k = and i32 %tid, 3\n"
      "  %t = getelementptr [4 x i32], ptr addrspace(4) @table, i32 0, i32 "
      "%k\n"
      "  %v = load i32, ptr addrspace(4) %t\n"
      "  %s = getelementptr [32 x i32], ptr addrspace(3) @buffer, i32 0, i32 "
      "%tid\n"
      "  store i32 %v, ptr addrspace(3) %s\n"
      "  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)\n"
      "  %o = xor i32 %tid, 1\n"
      "  %so = getelementptr [32 x i32], ptr addrspace(3) @buffer, i32 0, i32 "
      "%o\n"
      "  %w = load i32, ptr addrspace(3) %so\n"
      "  %local = alloca [2 x i32]\n"
      "  store i32 %w, ptr %local\n"
      "  %q = call i32 @read(ptr %local)\n"
      "  %p = getelementptr i32, ptr addrspace(1) %out, i32 %tid\n"
      "  store i32 %q, ptr addrspace(1) %p\n",
      "@table = internal addrspace(4) constant [4 x i32] [i32 10, i32 20, i32 "
      "30, i32 40]\n"
      "@pad = internal addrspace(3) global [4 x i8] undef, align 4\n"
      "@buffer = internal addrspace(3) global [32 x i32] undef, align 16\n"
      "define internal i32 @read(ptr %x) noinline {\n"
      "  %v = load i32, ptr %x\n"
      "  ret i32 %v\n"
      "}\n");
  EXPECT_THAT(run(device, kernel, "k", oneCta(32), {KernelArgument::of(out)}),
              IsClean())
      << "variables";
  EXPECT_EQ(device.get(out, 32)[2], 40u) << "value through all of them";
  EXPECT_THAT(run(device,
                  replaceIn(kernel, "  %k = and",
                            "  store i32 1, ptr addrspace(4) @table\n"
                            "  %k = and"),
                  "k", oneCta(32), {KernelArgument::of(out)}),
              Reports(ReportKind::OutOfBounds, "store", "constant memory"))
      << "write to the table";
}

TEST(EmulatorLaunchTest, ReportsSayWhereAndHowOften) {
  // A report with a debug location, its text, and the limit on their number.
  TestDevice device;
  std::string kernel =
      makeKernel("ptr addrspace(1) %out",
                 "  %v = load i32, ptr addrspace(1) %out, !dbg !4\n"
                 "  %w = load i32, ptr addrspace(1) %out\n");
  kernel = replaceIn(kernel, "%out) {", "%out) !dbg !3 {") +
           "!llvm.dbg.cu = !{!0}\n"
           "!llvm.module.flags = !{!5}\n"
           "!0 = distinct !DICompileUnit(language: DW_LANG_C, file: !1)\n"
           "!1 = !DIFile(filename: \"layer.mlir\", directory: \"/\")\n"
           "!2 = !DISubroutineType(types: !{})\n"
           "!3 = distinct !DISubprogram(name: \"k\", file: !1, unit: !0, type: "
           "!2, spFlags: DISPFlagDefinition)\n"
           "!4 = !DILocation(line: 12, column: 5, scope: !3)\n"
           "!5 = !{i32 2, !\"Debug Info Version\", i32 3}\n";
  auto *out = device.makeRoom<uint32_t>(1, "out");
  EmulatorOptions options;
  options.maxReports = 1;
  LaunchResult result =
      run(device, kernel, "k", oneCta(32), {KernelArgument::of(out)}, options);
  EXPECT_EQ(result.reports.size(), 1u) << "limit on reports";
  EXPECT_EQ(result.numDroppedReports, 1u) << "dropped reports";
  std::string text;
  llvm::raw_string_ostream(text) << result.reports[0];
  EXPECT_EQ(text, "uninitialized-read: kernel k, CTA (0, 0, 0), thread "
                  "0, load at layer.mlir:12:5: nothing has written "
                  "'out' + 0 of 4 bytes (32 times)")
      << "text of a report";
  std::string reports, statistics;
  llvm::raw_string_ostream reportStream(reports), statisticStream(statistics);
  result.printReports(reportStream);
  EXPECT_EQ(reports, text + "\n1 more reports of kernel k\n") << "all reports";
  result.printStatistics(statisticStream);
  EXPECT_THAT(statistics,
              StartsWith("kernel k, grid (1, 1, 1), block (32, 1, 1), cluster "
                         "(1, 1, 1), 0 bytes of shared memory, "))
      << "statistics of the launch";
  EXPECT_THAT(statistics, HasSubstr("\n  llvm.nvvm.read.ptx.sreg.tid.x: 32\n"))
      << "statistics of operations";
}

TEST(EmulatorLaunchTest, OperationsAreListedOnce) {
  llvm::SmallVector<std::string, 0> names = Emulator::getKnownOps();
  EXPECT_EQ(std::adjacent_find(names.begin(), names.end()), names.end())
      << "the table has no name twice";
  EXPECT_TRUE(llvm::is_contained(names, "asm:wgmma.mma_async"))
      << "the table knows wgmma";
}

/// Kernels that copy a word, each with its wait for the launch before, and with
/// what lets the next one begin, at another place or missing.
static std::string makeEarlyKernels() {
  std::string wait = "  call void @llvm.nvvm.griddepcontrol.wait()\n";
  std::string signal =
      "  call void @llvm.nvvm.griddepcontrol.launch.dependents()\n";
  std::string load = "  %v = load i32, ptr addrspace(1) %from\n";
  std::string store = "  store i32 %v, ptr addrspace(1) %to\n";
  std::string blind = "  store i32 1, ptr addrspace(1) %to\n";
  auto make = [](Twine name, Twine body) {
    return ("define ptx_kernel void @" + name +
            "(ptr addrspace(1) %from, ptr addrspace(1) %to) {\n" + body +
            "  ret void\n}\n")
        .str();
  };
  return make("waits", wait + signal + load + store) +
         make("reads", load + wait + signal + store) +
         make("writes", blind + wait + signal) +
         make("signals", signal + load + wait + store) +
         make("never", signal + blind);
}

namespace {
struct EarlyLaunch {
  const char *kernel;
  /// Words that it copies from and to.
  int from, to;
};
} // namespace

/// The last of launches that all but the first may begin early.
static LaunchResult runEarly(llvm::ArrayRef<EarlyLaunch> launches,
                             bool isEarly = true) {
  TestDevice device;
  std::vector<uint32_t *> words;
  for (int i = 0; i < 5; ++i)
    words.push_back(device.put<uint32_t>({7}, ("word" + Twine(i)).str()));
  std::string text = makeEarlyKernels();
  auto emulator = llvm::cantFail(
      Emulator::create(llvm::MemoryBufferRef(text, "test"), *device.memory));
  LaunchResult last;
  for (const EarlyLaunch &launch : launches) {
    LaunchConfig config = oneCta(1);
    config.mayBeginEarly = isEarly && &launch != launches.begin();
    last = llvm::cantFail(
        emulator->launch(launch.kernel, config,
                         {KernelArgument::of(words[launch.from]),
                          KernelArgument::of(words[launch.to])}));
  }
  return last;
}

TEST(EmulatorLaunchTest, EarlyLaunchesWaitForWhatTheOnesBeforeWrite) {
  EXPECT_THAT(runEarly({{"waits", 0, 1}, {"waits", 1, 2}}), IsClean())
      << "a read after the wait";
  EXPECT_THAT(runEarly({{"waits", 0, 1}, {"reads", 3, 2}}), IsClean())
      << "an early read of what nobody writes";
  EXPECT_THAT(runEarly({{"waits", 0, 1}, {"reads", 1, 2}}),
              Reports(ReportKind::MissingWait, "load",
                      "read of 'word1' + 0 of 4 bytes, which the launch before "
                      "writes, without griddepcontrol.wait before it"))
      << "an early read of what the launch before writes";
  EXPECT_THAT(runEarly({{"waits", 0, 1}, {"reads", 1, 2}}, /*isEarly=*/false),
              IsClean())
      << "the same in order";
  EXPECT_THAT(runEarly({{"waits", 0, 1}, {"writes", 3, 0}}),
              Reports(ReportKind::MissingWait, "store", "before reads"))
      << "an early write to what the launch before reads";
  EXPECT_THAT(runEarly({{"waits", 0, 1}, {"writes", 3, 1}}),
              Reports(ReportKind::MissingWait, "store", "before writes"))
      << "or writes";
  EXPECT_THAT(runEarly({{"waits", 0, 1}, {"waits", 2, 3}, {"reads", 1, 4}}),
              IsClean())
      << "what the launch before that wrote is there: the one between waited";
  EXPECT_THAT(runEarly({{"waits", 0, 1}, {"signals", 2, 3}, {"reads", 1, 4}}),
              Reports(ReportKind::MissingWait, "load", "'word1'"))
      << "but not where that one lets the next begin before it has waited";
  EXPECT_THAT(runEarly({{"waits", 0, 1}, {"never", 2, 3}}),
              Reports(ReportKind::MissingWait, "griddepcontrol.wait",
                      "no thread waits for the launch before"))
      << "nobody waits";
}
