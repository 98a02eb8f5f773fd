//===- CpuExecutableTest.cpp - running kernels written by hand ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/CPU/CpuExecutable.h"
#include "Check.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Parser/Parser.h"
#include "parablock/CPU/Runtime/ThreadPool.h"

using namespace parablock;
using llvm::Expected;

/// scale: results[i] = x[i] * w[0] for the rows begin to end of dims[0] floats.
/// square: packs w[0] * w[0].
static constexpr const char *kernelText = R"mlir(
module {
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

static CpuTensor makeTensor(llvm::StringRef name, CpuTensor::Kind kind,
                            llvm::ArrayRef<Extent> shape) {
  CpuTensor tensor;
  tensor.name = name.str();
  tensor.kind = kind;
  tensor.shape.assign(shape.begin(), shape.end());
  return tensor;
}

/// One launch of `scale`, over the rows of [rows, 8].
static CpuLaunch makeScale(unsigned x, unsigned w, unsigned y) {
  CpuLaunch launch;
  launch.kernel = "scale";
  launch.tensors = {x, w, y};
  launch.dims = {Extent::fixed(8)};
  launch.items.outer = {Extent::symbolic(0)};
  launch.scratchBytes = 4;
  return launch;
}

/// y = x * w^2 * w^2, by way of two temporaries more than are alive at once.
static CpuProgram makeProgram(mlir::MLIRContext &context,
                              llvm::StringRef cpu = "") {
  CpuProgram program;
  program.target = llvm::cantFail(findCpuTarget(cpu));
  program.module =
      mlir::parseSourceString<mlir::ModuleOp>(kernelText, &context);
  program.symbols.push_back({"rows", {{1, 0}}});
  Extent rows[] = {Extent::symbolic(0), Extent::fixed(8)};
  program.tensors = {
      makeTensor("w", CpuTensor::Parameter, {Extent::fixed(1)}),
      makeTensor("x", CpuTensor::Input, rows),
      makeTensor("w.squared", CpuTensor::Packed, {Extent::fixed(1)}),
      makeTensor("a", CpuTensor::Temporary, rows),
      makeTensor("b", CpuTensor::Temporary, rows),
      makeTensor("c", CpuTensor::Temporary, rows),
      makeTensor("y", CpuTensor::Result, rows)};
  program.tensors[1].position = 1;
  for (unsigned i : {0u, 1u, 2u}) {
    program.tensors[3 + i].firstUse = i;
    program.tensors[3 + i].lastUse = i + 1;
  }
  CpuLaunch square;
  square.kernel = "square";
  square.tensors = {0, 2};
  program.prepack = {square};
  program.launches = {makeScale(1, 2, 3), makeScale(3, 2, 4),
                      makeScale(4, 0, 5), makeScale(5, 0, 6)};
  return program;
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
  registry.insert<mlir::LLVM::LLVMDialect>();
  mlir::MLIRContext context(registry);
  testTargets();
  testRuns(context);
  testRefusals(context);
  return parablock::unittest::finish();
}
