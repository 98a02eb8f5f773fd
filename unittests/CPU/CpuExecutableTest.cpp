//===- CpuExecutableTest.cpp - running kernels written by hand ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Engines/CPU/CpuExecutable.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Parser/Parser.h"
#include "parablock/Conversion/BlockKernelsToCPU/LowerToCpu.h"
#include "parablock/Dialect/Plan/PlanOps.h"
#include "parablock/Engines/CPU/ProgramSegments.h"
#include "parablock/Engines/CPU/Runtime/MemoryPool.h"
#include "parablock/Engines/CPU/Runtime/ThreadPool.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Testing/Support/Error.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace parablock;
using llvm::Expected;
using llvm::FailedWithMessage;
using llvm::Succeeded;
using testing::HasSubstr;

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
  %y = plan.tensor "y" temporary : f32 [%rows, 8]
  plan.prepack {
    plan.launch @kernels::@square(%w) -> (%squared) dims [] items 1 x [] x [] by 1
  }
  plan.run {
    plan.launch @kernels::@scale(%x, %squared) -> (%a) dims [8] items 1 x [%rows] x [] by 1 scratch 4
    plan.launch @kernels::@scale(%a, %squared) -> (%b) dims [8] items 1 x [%rows] x [] by 1 scratch 4
    plan.launch @kernels::@scale(%b, %w) -> (%c) dims [8] items 1 x [%rows] x [] by 1 scratch 4
    plan.launch @kernels::@scale(%c, %w) -> (%y) dims [8] items 1 x [%rows] x [] by 1 scratch 4
    plan.return %y
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
                              llvm::StringRef cpu = "",
                              llvm::StringRef text = programText) {
  auto module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
  return readCpuProgram(module->lookupSymbol<plan::ProgramOp>("main"),
                        llvm::cantFail(findCpuTarget(cpu)));
}

namespace {
class CpuExecutableTest : public testing::Test {
protected:
  CpuExecutableTest() {
    context.loadDialect<mlir::LLVM::LLVMDialect, plan::PlanDialect>();
  }

  mlir::MLIRContext context;
};
} // namespace

/// Gives what the plan does not say: where sizes are from, and how long tensors
/// live.
TEST_F(CpuExecutableTest, ReadsThePlan) {
  CpuProgram program = makeProgram(context);
  EXPECT_EQ(program.symbols.size(), 1u) << "sizes";
  EXPECT_EQ(program.symbols[0].tensor, 1) << "tensor";
  EXPECT_EQ(program.symbols[0].dim, 0) << "dimension";
  for (int64_t i : {0, 1, 2}) {
    EXPECT_EQ(program.tensors[3 + i].firstUse, i) << "begin";
    EXPECT_EQ(program.tensors[3 + i].lastUse, i + 1) << "end";
  }
  EXPECT_EQ((*program.module).getSymName()->str(), "kernels") << "kernels";
}

/// Runs with w = 0.5 on `rows` rows and compares with the formula.
static bool runRows(CpuExecutable &executable, int64_t rows,
                    ParablockPool *pool) {
  float w = 0.5f;
  std::vector<float> x(rows * 8), y(rows * 8 + 1, -1.0f);
  for (size_t i = 0; i < x.size(); ++i)
    x[i] = 16.0f * static_cast<float>(i + 1);
  CpuShape shapes[] = {{1}, {rows, 8}};
  Expected<cpu::Symbols> symbols = executable.findSymbols(shapes);
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

TEST_F(CpuExecutableTest, MatchesTheFormulaOnAnyThreads) {
  cpu::ThreadPool pool(3);
  for (llvm::StringRef cpu : {"", "x86-64"}) {
    Expected<std::unique_ptr<CpuExecutable>> executable =
        CpuExecutable::create(makeProgram(context, cpu));
    ASSERT_THAT_EXPECTED(executable, Succeeded())
        << "compiles for '" << cpu.str() << "'";
    for (int64_t rows : {1, 5, 300, 5})
      for (ParablockPool *used : {static_cast<ParablockPool *>(nullptr),
                                  static_cast<ParablockPool *>(&pool)})
        EXPECT_TRUE(runRows(**executable, rows, used))
            << rows << " rows" << (used ? ", three threads" : "");
    // Of three temporaries two are alive at a time.
    EXPECT_EQ((*executable)->getTemporaryBytes({64}), uint64_t(2 * 64 * 8 * 4))
        << "shared memory";
    EXPECT_EQ((*executable)->getPackedBytes(), 64u) << "packed";
  }
}

/// The program with its launches in these layers (none where that is -1), which
/// gives `first`, too.
static CpuProgram makeLayers(mlir::MLIRContext &context,
                             llvm::ArrayRef<int> layers,
                             llvm::StringRef first) {
  std::string text;
  llvm::StringRef rest = programText;
  for (int layer : layers) {
    auto [before, behind] = rest.split("scratch 4");
    text += before.str() + "scratch 4";
    if (layer >= 0)
      text += " layer " + std::to_string(layer);
    rest = behind;
  }
  auto [before, behind] = rest.split("plan.return %y");
  text += before.str() + "plan.return %" + first.str() + ", %y" + behind.str();
  return makeProgram(context, "", text);
}

/// "launches: begun / finished / left", for each segment.
static std::string describe(const CpuProgram &program) {
  std::string text;
  llvm::raw_string_ostream os(text);
  for (const CpuSegment &segment : listSegments(program)) {
    os << segment.launches.begin << "-" << segment.launches.end << ":";
    for (const auto *list :
         {&segment.begun, &segment.finished, &segment.left}) {
      for (unsigned position : *list)
        os << " " << position;
      os << (list == &segment.left ? ";" : " /");
    }
  }
  return text;
}

TEST_F(CpuExecutableTest, SegmentsEndWithLayersThatFinishAResult) {
  struct {
    std::vector<int> layers;
    const char *first, *wanted;
  } cases[] = {
      {{1, 1, 0, 0}, "a", "0-2: 0 / 0 / 1;2-4: 1 / 1 / 0;"},
      // What another layer reads is not final.
      {{1, 1, 0, 0}, "b", "0-4: 0 1 / 0 1 / 0 1;"},
      {{2, 1, 1, 0}, "b", "0-3: 0 / 0 / 1;3-4: 1 / 1 / 0;"},
      // What is in no layer is between layers.
      {{1, -1, -1, 0}, "b", "0-3: 0 / 0 / 1;3-4: 1 / 1 / 0;"},
      {{-1, -1, -1, -1}, "a", "0-4: 0 1 / 0 1 / 0 1;"},
      {{3, 2, 1, 0}, "a", "0-2: 0 / 0 / 1;2-4: 1 / 1 / 0;"},
  };
  for (const auto &each : cases) {
    std::string found = describe(makeLayers(context, each.layers, each.first));
    EXPECT_EQ(found, each.wanted) << each.first;
  }
}

/// Runs both segments of a program, with the input spoiled between them.
TEST_F(CpuExecutableTest, RunsInSegments) {
  CpuProgram program = makeLayers(context, {1, 1, 0, 0}, "a");
  std::vector<CpuSegment> segments = listSegments(program);
  ASSERT_EQ(segments.size(), 2u) << "segments";
  std::unique_ptr<CpuExecutable> executable =
      llvm::cantFail(CpuExecutable::create(std::move(program)));
  float w = 0.5f;
  std::vector<float> x(24, 64.0f), a(24), y(24);
  CpuShape shapes[] = {{1}, {3, 8}};
  cpu::Symbols symbols = llvm::cantFail(executable->findSymbols(shapes));
  const void *arguments[] = {&w, x.data()};
  cpu::AlignedMemory packed;
  cpu::Workspace workspace;
  llvm::cantFail(executable->prepack(arguments, nullptr, packed));
  void *results[] = {a.data(), nullptr};
  llvm::cantFail(executable->run(arguments, results, symbols, nullptr,
                                 packed.data(), workspace,
                                 segments[0].launches));
  EXPECT_EQ(a, std::vector<float>(24, 16.0f)) << "the first";
  results[0] = nullptr;
  results[1] = y.data();
  llvm::fill(x, -1.0f);
  llvm::cantFail(executable->run(arguments, results, symbols, nullptr,
                                 packed.data(), workspace,
                                 segments[1].launches));
  EXPECT_EQ(y, std::vector<float>(24, 1.0f)) << "the second";
}

/// Weights are packed as they are needed, into the arena, and what reads them
/// last leaves the parameter.
TEST_F(CpuExecutableTest, PacksInRuns) {
  CpuProgram program = makeLayers(context, {1, 1, 0, 0}, "a");
  // Only the second launch is to read what is packed.
  program.launches[0].tensors[1] = program.launches[2].tensors[1];
  packInRuns(program);
  EXPECT_TRUE(program.prepack.empty()) << "nothing before a run";
  ASSERT_EQ(program.launches.size(), 5u) << "launches";
  EXPECT_EQ(program.layers, (std::vector<int64_t>{1, 1, 1, 0, 0})) << "layers";
  EXPECT_EQ(program.kernels[program.launches[1].kernel], "square") << "place";
  EXPECT_EQ(program.tensors[2].firstUse, 1) << "packed";
  EXPECT_EQ(program.tensors[2].lastUse, 2) << "read";
  EXPECT_EQ(describe(program), "0-3: 0 / 0 / 1;3-5: 1 / 1 / 0;") << "segments";

  std::unique_ptr<CpuExecutable> executable =
      llvm::cantFail(CpuExecutable::create(std::move(program)));
  float w = 0.5f;
  std::vector<float> x(24, 64.0f), a(24), y(24);
  CpuShape shapes[] = {{1}, {3, 8}};
  cpu::Symbols symbols = llvm::cantFail(executable->findSymbols(shapes));
  const void *arguments[] = {&w, x.data()};
  void *results[] = {a.data(), y.data()};
  cpu::MemoryPool pool;
  cpu::Workspace workspace = pool.takeWorkspace();
  llvm::cantFail(executable->run(arguments, results, symbols, nullptr,
                                 /*packed=*/{}, workspace));
  EXPECT_EQ(y, std::vector<float>(24, 64.0f * 0.5f * 0.25f * 0.5f * 0.5f))
      << "result";
  CpuRunBytes bytes = executable->getRunBytes(symbols, nullptr);
  EXPECT_EQ(bytes.packed, 64u) << "packed";
  cpu::MemoryCounts::Bytes taken = {bytes.arena, bytes.scratch, 0, 0, 0};
  EXPECT_EQ(pool.getCounts().getNow(), taken) << "counted";
}

/// Three results by way of a temporary each, which are all made first, of so
/// many rows. The first launch is in layer `first`, the last, which reads what
/// that gives, in layer `last`, all others in layer 1.
static std::string makeBranches(llvm::StringRef rows, int first, int last) {
  std::string text = "plan.program @main {\n";
  llvm::raw_string_ostream os(text);
  if (rows.starts_with("%"))
    os << rows << " = plan.size \"rows\"\n";
  os << "%w = plan.tensor \"w\" parameter 0 : f32 [1]\n"
     << "%x = plan.tensor \"x\" input 1 : f32 [" << rows << ", 8]\n";
  for (char name : llvm::StringRef("abcuvw"))
    os << "%t" << name << " = plan.tensor \"t" << name << "\" temporary : f32 ["
       << rows << ", 8]\n";
  os << "plan.run {\n";
  for (llvm::StringRef pair : {"xa", "xb", "xc", "bv", "cw", "au"})
    os << "plan.launch @kernels::@scale(%" << (pair[0] == 'x' ? "" : "t")
       << pair[0] << ", %w) -> (%t" << pair[1] << ") dims [8] items 1 x ["
       << rows << "] x [] by 1 scratch 4 layer "
       << (pair == "xa"   ? first
           : pair == "au" ? last
                          : 1)
       << "\n";
  llvm::StringRef kernels = programText;
  os << "plan.return %tu, %tv, %tw\n}\n}\n"
     << kernels.drop_front(kernels.find("module"));
  return text;
}

/// Launches go where less lies between them, within their layers.
TEST_F(CpuExecutableTest, OrdersLaunches) {
  struct {
    const char *rows;
    int first, last;
    uint64_t held;
  } cases[] = {{"4", 1, 1, 1}, {"4", 2, 0, 2}, {"%rows", 1, 1, 3}};
  for (const auto &each : cases) {
    CpuProgram program = makeProgram(
        context, "", makeBranches(each.rows, each.first, each.last));
    packInRuns(program);
    std::unique_ptr<CpuExecutable> executable =
        llvm::cantFail(CpuExecutable::create(std::move(program)));
    cpu::Symbols symbols =
        llvm::cantFail(executable->findSymbols({{1}, {4, 8}}));
    EXPECT_EQ(executable->getTemporaryBytes(symbols), each.held * 4 * 8 * 4)
        << each.rows << " rows, layers " << each.first << " to " << each.last;
    float w = 0.5f;
    std::vector<float> x(32, 64.0f), u(32), v(32), y(32);
    const void *arguments[] = {&w, x.data()};
    void *results[] = {u.data(), v.data(), y.data()};
    llvm::cantFail(executable->run(arguments, results, symbols, nullptr));
    for (const std::vector<float> *result : {&u, &v, &y})
      EXPECT_EQ(*result, std::vector<float>(32, 16.0f)) << "result";
  }
}

/// scale: results[i] = x[i] * w[0] for rows of 8 floats.
/// add: results[0] = the sum of x, and of what is there if the last size is 1.
static constexpr const char *rowsText = R"mlir(
module @kernels {
  llvm.func @scale(%tensors: !llvm.ptr, %dims: !llvm.ptr, %scratch: !llvm.ptr,
                   %begin: i64, %end: i64) {
    %one = llvm.mlir.constant(1 : i64) : i64
    %eight = llvm.mlir.constant(8 : i64) : i64
    %w_at = llvm.getelementptr %tensors[1] : (!llvm.ptr) -> !llvm.ptr, !llvm.ptr
    %y_at = llvm.getelementptr %tensors[2] : (!llvm.ptr) -> !llvm.ptr, !llvm.ptr
    %x = llvm.load %tensors : !llvm.ptr -> !llvm.ptr
    %w = llvm.load %w_at : !llvm.ptr -> !llvm.ptr
    %y = llvm.load %y_at : !llvm.ptr -> !llvm.ptr
    %factor = llvm.load %w : !llvm.ptr -> f32
    %first = llvm.mul %begin, %eight : i64
    %last = llvm.mul %end, %eight : i64
    llvm.br ^head(%first : i64)
  ^head(%i: i64):
    %more = llvm.icmp "slt" %i, %last : i64
    llvm.cond_br %more, ^body, ^done
  ^body:
    %from = llvm.getelementptr %x[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %value = llvm.load %from : !llvm.ptr -> f32
    %product = llvm.fmul %value, %factor : f32
    %to = llvm.getelementptr %y[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %product, %to : f32, !llvm.ptr
    %next = llvm.add %i, %one : i64
    llvm.br ^head(%next : i64)
  ^done:
    llvm.return
  }
  llvm.func @add(%tensors: !llvm.ptr, %dims: !llvm.ptr, %scratch: !llvm.ptr,
                 %begin: i64, %end: i64) {
    %zero = llvm.mlir.constant(0 : i64) : i64
    %one = llvm.mlir.constant(1 : i64) : i64
    %eight = llvm.mlir.constant(8 : i64) : i64
    %none = llvm.mlir.constant(0.0 : f32) : f32
    %y_at = llvm.getelementptr %tensors[1] : (!llvm.ptr) -> !llvm.ptr, !llvm.ptr
    %rows_at = llvm.getelementptr %dims[1] : (!llvm.ptr) -> !llvm.ptr, i64
    %later_at = llvm.getelementptr %dims[2] : (!llvm.ptr) -> !llvm.ptr, i64
    %x = llvm.load %tensors : !llvm.ptr -> !llvm.ptr
    %y = llvm.load %y_at : !llvm.ptr -> !llvm.ptr
    %batch = llvm.load %dims : !llvm.ptr -> i64
    %sequence = llvm.load %rows_at : !llvm.ptr -> i64
    %later = llvm.load %later_at : !llvm.ptr -> i64
    %rows = llvm.mul %batch, %sequence : i64
    %last = llvm.mul %rows, %eight : i64
    %goes_on = llvm.icmp "eq" %later, %one : i64
    %known = llvm.load %y : !llvm.ptr -> f32
    %start = llvm.select %goes_on, %known, %none : i1, f32
    llvm.br ^head(%zero, %start : i64, f32)
  ^head(%i: i64, %sum: f32):
    %more = llvm.icmp "slt" %i, %last : i64
    llvm.cond_br %more, ^body, ^done
  ^body:
    %from = llvm.getelementptr %x[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %value = llvm.load %from : !llvm.ptr -> f32
    %added = llvm.fadd %sum, %value : f32
    %next = llvm.add %i, %one : i64
    llvm.br ^head(%next, %added : i64, f32)
  ^done:
    llvm.store %sum, %y : f32, !llvm.ptr
    llvm.return
  }
}
)mlir";

/// y = x * w^3 and the sum of that, by way of two temporaries.
static std::string makeRows(int64_t sequences, int64_t rows,
                            llvm::StringRef parts, llvm::StringRef last) {
  std::string shape = llvm::formatv("[{0}, {1}, 8]", sequences, rows);
  std::string text = "plan.program @main {\n"
                     "%w = plan.tensor \"w\" parameter 0 : f32 [1]\n"
                     "%x = plan.tensor \"x\" input 1 : f32 " +
                     shape + "\n";
  for (char name : llvm::StringRef("aby"))
    text += llvm::formatv("%{0} = plan.tensor \"{0}\" temporary : f32 {1}\n",
                          name, shape);
  text += "%s = plan.tensor \"s\" temporary : f32 [1]\nplan.run {\n";
  for (llvm::StringRef pair : {"xa", "ab", "by"})
    text += llvm::formatv("plan.launch @kernels::@scale(%{0}, %w) -> (%{1}) "
                          "dims [{2}, {3}] items 1 x [] x [{2}, {3}] by 1 "
                          "layer 0 {4}\n",
                          pair[0], pair[1], sequences, rows,
                          pair == "by" ? last : parts);
  text += llvm::formatv("plan.launch @kernels::@add(%b) -> (%s) dims [{0}, "
                        "{1}, 0] items 1 x [] x [] by 1 layer 0 rows [0]\n"
                        "plan.return %y, %s\n}\n}\n",
                        sequences, rows);
  return text + rowsText;
}

/// Launches do some rows at a time, and results lie where something was read,
/// if they say so; results are the same.
TEST_F(CpuExecutableTest, DividesRows) {
  llvm::StringRef rows = "rows [0, 2]", sequences = "rows [0, 2] sequences";
  struct {
    int64_t sequences, rows;
    llvm::StringRef parts, last;
    int32_t workers;
    /// Rows of temporaries.
    int64_t held;
  } cases[] = {
      {2, 256, "", "", 1, 1024},
      {2, 256, rows, rows, 1, 256},
      // The last time has the rest, and there are no more than eight.
      {1, 300, rows, rows, 1, 2 * 172},
      {1, 254, rows, rows, 1, 508},
      {1, 4096, rows, rows, 1, 1024},
      // What the last one needs at once has to be there.
      {2, 256, rows, "", 1, 512 + 128},
      {2, 256, sequences, rows, 1, 512},
      {3, 128, sequences, rows, 1, 256},
      {3, 96, sequences, rows, 1, 576},
      // Items of a launch are 128 a sequence.
      {4, 128, sequences, rows, 200, 512},
      {2, 256, "rows [0, 2] in_place [2, 0]", rows, 1, 128},
      {2, 4, "rows [0, 2] in_place [2, 0]", rows, 1, 8},
  };
  for (const auto &each : cases) {
    CpuProgram program =
        makeProgram(context, "",
                    makeRows(each.sequences, each.rows, each.parts, each.last));
    packInRuns(program, each.workers);
    std::unique_ptr<CpuExecutable> executable =
        llvm::cantFail(CpuExecutable::create(std::move(program)));
    std::string name =
        llvm::formatv("{0} x {1}, '{2}', '{3}', {4} workers", each.sequences,
                      each.rows, each.parts, each.last, each.workers);
    EXPECT_EQ(executable->getTemporaryBytes({}),
              static_cast<uint64_t>(each.held) * 8 * sizeof(float))
        << name;
    float w = 0.5f, sum = -1, wanted = 0;
    std::vector<float> x(each.sequences * each.rows * 8), y(x.size(), -1.0f);
    for (size_t i = 0; i < x.size(); ++i) {
      x[i] = 1.0f + static_cast<float>(i) / 1024;
      wanted += x[i] * 0.25f;
    }
    const void *arguments[] = {&w, x.data()};
    void *results[] = {y.data(), &sum};
    llvm::cantFail(executable->run(arguments, results, {}, nullptr));
    EXPECT_EQ(sum, wanted) << name << ": the sum";
    size_t wrong = 0;
    for (size_t i = 0; i < x.size(); ++i)
      wrong += y[i] != x[i] * 0.125f;
    EXPECT_EQ(wrong, 0u) << name;
  }
}

TEST_F(CpuExecutableTest, RefusesOtherShapesAndProcessors) {
  std::unique_ptr<CpuExecutable> executable =
      llvm::cantFail(CpuExecutable::create(makeProgram(context)));
  EXPECT_THAT_EXPECTED(
      executable->findSymbols({{1}, {5, 9}}),
      FailedWithMessage(
          HasSubstr("argument 'x': expected dimension 1 to be 8, got 9")))
      << "another size";
  EXPECT_THAT_EXPECTED(executable->findSymbols({{1}, {5}}),
                       FailedWithMessage(HasSubstr(
                           "argument 'x': expected 2 dimensions, got 1")))
      << "another rank";
  EXPECT_THAT_EXPECTED(executable->findSymbols({{1}, {-3, 8}}),
                       FailedWithMessage(HasSubstr(
                           "sizes are negative or too large: rows = -3")))
      << "negative";
  EXPECT_THAT_EXPECTED(
      executable->findSymbols({{1}, {int64_t(1) << 60, 8}}),
      FailedWithMessage(HasSubstr(
          "sizes are negative or too large: rows = 1152921504606846976")))
      << "beyond all bounds";
  EXPECT_THAT_EXPECTED(
      findCpuTarget("pentium-pro-max"),
      FailedWithMessage(HasSubstr(
          "unknown processor 'pentium-pro-max': expected native, x86-64")))
      << "unknown";
  Expected<CpuTarget> other = findCpuTarget("sapphirerapids");
  ASSERT_THAT_EXPECTED(other, Succeeded());
  if (errorToBool(checkRunsHere(*other))) {
    CpuProgram program = makeProgram(context);
    program.target = *other;
    EXPECT_THAT_EXPECTED(
        CpuExecutable::create(std::move(program)),
        FailedWithMessage(HasSubstr(", which this machine lacks")))
        << "not here";
  }
}
