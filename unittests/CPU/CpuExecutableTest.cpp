//===- CpuExecutableTest.cpp - running kernels written by hand ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Engines/CPU/CpuExecutable.h"
#include "Check.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Parser/Parser.h"
#include "parablock/Dialect/Plan/PlanOps.h"
#include "parablock/Engines/CPU/Runtime/ThreadPool.h"

using namespace parablock;
using llvm::Expected;

/// y = x * w^2 * w^2, by way of two temporaries more than are alive at once.
/// scale: results[i] = x[i] * w[0] for the rows begin to end of dims[0] floats.
/// square: packs w[0] * w[0].
static constexpr const char *programText = R"mlir(
plan.program @main {
  %rows = plan.size "rows"
  %w = plan.tensor "w" parameter 0 : f32 [1]
  %x = plan.tensor "x" input 1 : f32 [%rows, 8]
  %squared = plan.tensor "w.squared" packed : f32 [1]
  %a = plan.tensor "a" temporary : f32 [%rows, 8]
  %b = plan.tensor "b" temporary : f32 [%rows, 8]
  %c = plan.tensor "c" temporary : f32 [%rows, 8]
  %y = plan.tensor "y" result 0 : f32 [%rows, 8]
  plan.prepack {
    plan.launch @kernels::@square(%w) -> (%squared) dims [] items 1 x [] x [] by 1
  }
  plan.run {
    plan.launch @kernels::@scale(%x, %squared) -> (%a) dims [8] items 1 x [%rows] x [] by 1 scratch 4
    plan.launch @kernels::@scale(%a, %squared) -> (%b) dims [8] items 1 x [%rows] x [] by 1 scratch 4
    plan.launch @kernels::@scale(%b, %w) -> (%c) dims [8] items 1 x [%rows] x [] by 1 scratch 4
    plan.launch @kernels::@scale(%c, %w) -> (%y) dims [8] items 1 x [%rows] x [] by 1 scratch 4
  }
}
module @kernels {
  llvm.func @scale(%tensors: !llvm.ptr, %dims: !llvm.ptr, %scratch: !llvm.ptr,
                   %begin: i64, %end: i64) {
    %one = llvm.mlir.constant(1 : i64) : i64
    %x_at = llvm.getelementptr %tensors[0] : (!llvm.ptr) -> !llvm.ptr, !llvm.ptr
    %w_at = llvm.getelementptr %tensors[1] : (!llvm.ptr) -> !llvm.ptr, !llvm.ptr
    %y_at = llvm.getelementptr %tensors[2] : (!llvm.ptr) -> !llvm.ptr, !llvm.ptr
    %x = llvm.load %x_at : !llvm.ptr -> !llvm.ptr
    %w = llvm.load %w_at : !llvm.ptr -> !llvm.ptr
    %y = llvm.load %y_at : !llvm.ptr -> !llvm.ptr
    %factor = llvm.load %w : !llvm.ptr -> f32
    %width = llvm.load %dims : !llvm.ptr -> i64
    %first = llvm.mul %begin, %width : i64
    %last = llvm.mul %end, %width : i64
    llvm.br ^head(%first : i64)
  ^head(%i: i64):
    %more = llvm.icmp "slt" %i, %last : i64
    llvm.cond_br %more, ^body, ^done
  ^body:
    %from = llvm.getelementptr %x[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %value = llvm.load %from : !llvm.ptr -> f32
    %product = llvm.fmul %value, %factor : f32
    llvm.store %product, %scratch : f32, !llvm.ptr
    %kept = llvm.load volatile %scratch : !llvm.ptr -> f32
    %to = llvm.getelementptr %y[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %kept, %to : f32, !llvm.ptr
    %next = llvm.add %i, %one : i64
    llvm.br ^head(%next : i64)
  ^done:
    llvm.return
  }
  llvm.func @square(%tensors: !llvm.ptr, %dims: !llvm.ptr, %scratch: !llvm.ptr,
                    %begin: i64, %end: i64) {
    %w_at = llvm.getelementptr %tensors[0] : (!llvm.ptr) -> !llvm.ptr, !llvm.ptr
    %y_at = llvm.getelementptr %tensors[1] : (!llvm.ptr) -> !llvm.ptr, !llvm.ptr
    %w = llvm.load %w_at : !llvm.ptr -> !llvm.ptr
    %y = llvm.load %y_at : !llvm.ptr -> !llvm.ptr
    %value = llvm.load %w : !llvm.ptr -> f32
    %product = llvm.fmul %value, %value : f32
    llvm.store %product, %y : f32, !llvm.ptr
    llvm.return
  }
}
)mlir";

static CpuProgram makeProgram(mlir::MLIRContext &context,
                              llvm::StringRef cpu = "") {
  auto module = mlir::parseSourceString<mlir::ModuleOp>(programText, &context);
  return readCpuProgram(module->lookupSymbol<plan::ProgramOp>("main"),
                        llvm::cantFail(findCpuTarget(cpu)));
}

/// Gives what the plan does not say: where sizes are from, and how long tensors
/// live.
static void testReads(mlir::MLIRContext &context) {
  CpuProgram program = makeProgram(context);
  CHECK_EQUAL("sizes", program.symbols.size(), size_t(1));
  CHECK_EQUAL("places", program.symbols[0].places.size(), size_t(1));
  CHECK_EQUAL("tensor", program.symbols[0].places[0].tensor, 1u);
  CHECK_EQUAL("dimension", program.symbols[0].places[0].dim, 0u);
  for (unsigned i : {0u, 1u, 2u}) {
    CHECK_EQUAL("begin", program.tensors[3 + i].firstUse, i);
    CHECK_EQUAL("end", program.tensors[3 + i].lastUse, i + 1);
  }
  CHECK_EQUAL("kernels", (*program.module).getSymName()->str(),
              std::string("kernels"));
}

/// Runs with w = 0.5 on `rows` rows and compares with the formula.
static bool runRows(CpuExecutable &executable, int64_t rows,
                    ParablockPool *pool) {
  float w = 0.5f;
  std::vector<float> x(rows * 8), y(rows * 8 + 1, -1.0f);
  for (size_t i = 0; i < x.size(); ++i)
    x[i] = 16.0f * static_cast<float>(i + 1);
  CpuShape shapes[] = {{1}, {rows, 8}};
  Expected<llvm::SmallVector<int64_t>> symbols = executable.findSymbols(shapes);
  const void *arguments[] = {&w, x.data()};
  void *results[] = {y.data()};
  if (!symbols || executable.prepack(arguments, pool) ||
      executable.run(arguments, results, *symbols, pool))
    return false;
  for (size_t i = 0; i < x.size(); ++i)
    if (y[i] != x[i] * 0.25f * 0.25f * 0.5f * 0.5f)
      return false;
  return y.back() == -1.0f;
}

static void testRuns(mlir::MLIRContext &context) {
  cpu::ThreadPool pool(3);
  for (llvm::StringRef cpu : {"", "x86-64"}) {
    Expected<std::unique_ptr<CpuExecutable>> executable =
        CpuExecutable::create(makeProgram(context, cpu));
    if (!CHECK_SUCCEEDS("compiles for '" + cpu + "'", executable.takeError()))
      continue;
    for (int64_t rows : {1, 5, 300, 5})
      for (ParablockPool *used : {static_cast<ParablockPool *>(nullptr),
                                  static_cast<ParablockPool *>(&pool)})
        CHECK(llvm::Twine(rows) + " rows" + (used ? ", three threads" : ""),
              runRows(**executable, rows, used));
    // Of three temporaries two are alive at a time.
    CHECK_EQUAL("shared memory", (*executable)->getTemporaryBytes({64}),
                uint64_t(2 * 64 * 8 * 4));
    CHECK_EQUAL("packed", (*executable)->getPackedBytes(), uint64_t(64));
  }
}

static void testRefusals(mlir::MLIRContext &context) {
  std::unique_ptr<CpuExecutable> executable =
      llvm::cantFail(CpuExecutable::create(makeProgram(context)));
  CHECK_FAILS("another size", executable->findSymbols({{1}, {5, 9}}),
              "argument 'x': expected dimension 1 to be 8, got 9");
  CHECK_FAILS("another rank", executable->findSymbols({{1}, {5}}),
              "argument 'x': expected 2 dimensions, got 1");
  CHECK_FAILS("negative", executable->findSymbols({{1}, {-3, 8}}),
              "sizes are negative or too large: rows = -3");
  CHECK_FAILS("beyond all bounds",
              executable->findSymbols({{1}, {int64_t(1) << 60, 8}}),
              "sizes are negative or too large: rows = 1152921504606846976");
  CHECK_FAILS("unknown", findCpuTarget("pentium-pro-max"),
              "unknown processor 'pentium-pro-max': expected native, x86-64");
  Expected<CpuTarget> other = findCpuTarget("sapphirerapids");
  if (CHECK("known", static_cast<bool>(other)) && checkRunsHere(*other)) {
    CpuProgram program = makeProgram(context);
    program.target = *other;
    CHECK_FAILS("not here", CpuExecutable::create(std::move(program)),
                ", which this machine lacks");
  }
}

static void testTargets() {
  for (auto [name, bits] : {std::pair<llvm::StringRef, unsigned>{"x86-64", 128},
                            {"x86-64-v3", 256},
                            {"x86-64-v4", 512}}) {
    Expected<CpuTarget> target = findCpuTarget(name);
    if (CHECK(name, static_cast<bool>(target)))
      CHECK_EQUAL(name + " bits", target->vectorBits, bits);
  }
  CHECK_SUCCEEDS("the host runs here",
                 checkRunsHere(llvm::cantFail(findCpuTarget("native"))));
  CHECK_SUCCEEDS("so does the baseline",
                 checkRunsHere(llvm::cantFail(findCpuTarget("x86-64"))));
}

int main() {
  mlir::DialectRegistry registry;
  registry.insert<mlir::LLVM::LLVMDialect, plan::PlanDialect>();
  mlir::MLIRContext context(registry);
  testTargets();
  testReads(context);
  testRuns(context);
  testRefusals(context);
  return parablock::unittest::finish();
}
