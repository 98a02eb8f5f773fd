//===- EmulatorLaunchTest.cpp - Memory, launches, refusals ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "TestDevice.h"

using namespace parablock;
using namespace parablock::unittest;
using llvm::Twine;

static void testMemory() {
  TestDevice device;
  DeviceMemory &memory = *device.memory;
  auto *words = device.makeRoom<uint32_t>(4, "words");
  CHECK_EQUAL("fresh memory is poison", device.get(words, 1)[0], 0xFFFFFFFFu);
  CHECK_EQUAL("nothing is written",
              llvm::cantFail(memory.countUninitialized(words, 16)),
              uint64_t(16));
  uint32_t value = 5;
  CHECK_SUCCEEDS("upload", memory.upload(words + 1, &value, 4));
  CHECK_EQUAL("one word is written",
              llvm::cantFail(memory.countUninitialized(words, 16)),
              uint64_t(12));
  CHECK_SUCCEEDS("poison", memory.poison(words, 16));
  CHECK_EQUAL("poison again",
              llvm::cantFail(memory.countUninitialized(words, 16)),
              uint64_t(16));
  CHECK_FAILS("upload past the end", memory.upload(words + 3, &value, 8),
              "upload of 8 bytes does not lie in a device allocation");
  CHECK_FAILS("download from nowhere", memory.download(&value, &value, 4),
              "download of 4 bytes");
  CHECK_FAILS("release of the middle", memory.release(words + 1),
              "live device allocation");
  CHECK_SUCCEEDS("release", memory.release(words));
  CHECK_FAILS("release twice", memory.release(words), "live");
  CHECK_FAILS("use after release", memory.countUninitialized(words, 4),
              "count of 4 bytes");
  auto small = llvm::cantFail(DeviceMemory::create(1 << 20));
  CHECK_FAILS("more than there is", small->allocate(1 << 21, "much"),
              "no room for 2097152 bytes of device memory for 'much'");
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
  if (!CHECK_SUCCEEDS("compiles", emulator.takeError()))
    return nullptr;
  return std::move(*emulator);
}

static void testLaunches() {
  TestDevice device;
  auto emulator = compile(device, addOne);
  auto *data = device.put(std::vector<uint32_t>(32), "data");
  auto launch = [&](LaunchConfig config, size_t numArguments = 3,
                    llvm::StringRef name = "add") {
    std::vector<KernelArgument> arguments = {KernelArgument::of(data),
                                             KernelArgument::of(2),
                                             KernelArgument::of(uint16_t())};
    arguments.resize(numArguments, KernelArgument::of(uint64_t()));
    return emulator->launch(name, config, arguments);
  };
  CHECK_EQUAL("kernels", llvm::join(emulator->getKernelNames(), ","),
              std::string("add"));
  auto first = launch(oneCta(32));
  checkClean("first launch", *first);
  checkClean("second launch", *launch(oneCta(32)));
  CHECK_EQUAL("two launches", emulator->getNumLaunches(), uint64_t(2));
  CHECK_EQUAL("data of both", device.get(data, 32)[31], 4u);
  CHECK_EQUAL("counted operations",
              first->opCounts["llvm.nvvm.read.ptx.sreg.tid.x"], uint64_t(32));

  CHECK_FAILS("unknown kernel", launch(oneCta(32), 3, "sub"),
              "the module has no kernel 'sub'");
  CHECK_FAILS("wrong block", launch(oneCta(64)),
              "kernel 'add': expected a block of (32, 1, 1), got (64, 1, 1)");
  CHECK_FAILS("too few arguments", launch(oneCta(32), 2),
              "expected 3 arguments, got 2");
  CHECK_FAILS("too many arguments", launch(oneCta(32), 4),
              "expected 3 arguments, got 4");
  CHECK_FAILS("size of an argument",
              emulator->launch("add", oneCta(32),
                               {KernelArgument::of(data),
                                KernelArgument::of(uint64_t()),
                                KernelArgument::of(uint16_t())}),
              "expected argument 1 of 4 bytes, got 8");
  CHECK_FAILS("shared memory", launch(oneCta(32, 227 * 1024 + 1)),
              "expected at most 232448 bytes of shared memory, got 232449");
  LaunchConfig config = oneCta(32);
  config.cluster.x = 2;
  config.grid.x = 3;
  CHECK_FAILS("part of a cluster", launch(config),
              "expected a grid of whole clusters");
  config.cluster.x = 17;
  CHECK_FAILS("size of a cluster", launch(config),
              "expected a cluster of 1 to 16 CTAs");
  config = oneCta(32);
  config.grid.y = 0;
  CHECK_FAILS("empty grid", launch(config), "expected a grid");

  auto clustered = compile(device, "define ptx_kernel void @c() "
                                   "\"nvvm.cluster_dim\"=\"2,1,1\" {\n"
                                   "  ret void\n}\n");
  CHECK_FAILS("cluster of the kernel", clustered->launch("c", oneCta(32), {}),
              "expected a cluster of (2, 1, 1), got (1, 1, 1)");
  CHECK_FAILS("size of a block", clustered->launch("c", oneCta(1025), {}),
              "expected a block of 1 to 1024 threads");
}

static void checkRefused(llvm::StringRef name, llvm::StringRef text,
                         llvm::StringRef message) {
  TestDevice device;
  CHECK_FAILS(
      name,
      Emulator::create(llvm::MemoryBufferRef(text, "test"), *device.memory),
      message);
}

static void testRefusals() {
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

static void testVariables() {
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
  checkClean("variables",
             run(device, kernel, "k", oneCta(32), {KernelArgument::of(out)}));
  CHECK_EQUAL("value through all of them", device.get(out, 32)[2], 40u);
  checkReported("write to the table",
                run(device,
                    replaceIn(kernel, "  %k = and",
                              "  store i32 1, ptr addrspace(4) @table\n"
                              "  %k = and"),
                    "k", oneCta(32), {KernelArgument::of(out)}),
                ReportKind::OutOfBounds, "store", "constant memory");
}

static void testReports() {
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
  CHECK_EQUAL("limit on reports", result.reports.size(), size_t(1));
  CHECK_EQUAL("dropped reports", result.numDroppedReports, uint64_t(1));
  std::string text;
  llvm::raw_string_ostream(text) << result.reports[0];
  CHECK_EQUAL("text of a report", text,
              std::string("uninitialized-read: kernel k, CTA (0, 0, 0), thread "
                          "0, load at layer.mlir:12:5: nothing has written "
                          "'out' + 0 of 4 bytes (32 times)"));
  std::string reports, statistics;
  llvm::raw_string_ostream reportStream(reports), statisticStream(statistics);
  result.printReports(reportStream);
  CHECK_EQUAL("all reports", reports, text + "\n1 more reports of kernel k\n");
  result.printStatistics(statisticStream);
  CHECK("statistics of the launch",
        llvm::StringRef(statistics)
            .starts_with("kernel k, grid (1, 1, 1), block (32, 1, 1), cluster "
                         "(1, 1, 1), 0 bytes of shared memory, "));
  CHECK("statistics of operations",
        llvm::StringRef(statistics)
            .contains("\n  llvm.nvvm.read.ptx.sreg.tid.x: 32\n"));
}

static void testTable() {
  llvm::SmallVector<std::string, 0> names = Emulator::getKnownOps();
  CHECK("the table has no name twice",
        std::adjacent_find(names.begin(), names.end()) == names.end());
  CHECK("the table knows wgmma",
        llvm::is_contained(names, "asm:wgmma.mma_async"));
}

int main() {
  testMemory();
  testLaunches();
  testRefusals();
  testVariables();
  testReports();
  testTable();
  return finish();
}
