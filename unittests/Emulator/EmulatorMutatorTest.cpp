//===- EmulatorMutatorTest.cpp - Every mutation is found ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Runs each kind of mutation on each kernel it applies to: at one place, which
// is another one for each kernel, or at every one with PARABLOCK_FULL=1. A
// mutation is found by a report, by output that nothing wrote or by wrong
// numbers. Those that cannot be found are listed with the reason, and must
// indeed not be found.
//
//===----------------------------------------------------------------------===//

#include "FullRun.h"
#include "GemmRun.h"
#include "parablock/Judges/Emulator/Mutator.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Testing/Support/Error.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace parablock;
using namespace parablock::unittest;
using llvm::FailedWithMessage;
using llvm::StringRef;
using llvm::Succeeded;
using llvm::Twine;
using testing::HasSubstr;
using testing::StartsWith;

namespace {
struct Kernel {
  const char *input;
  GemmProblem problem;
  double limit;
  GemmOutcome (*run)(GemmRun &gemm, StringRef text, EmulatorOptions options);
};

/// A place where a mutation changes nothing that counts.
struct Undetectable {
  const char *input;
  const char *kind;
  /// Part of what stands there.
  const char *instruction;
  const char *reason;
};
} // namespace

static const Undetectable undetectable[] = {
    {"gemm_sm80.ll", "drop-copy-wait", "(i32 0)",
     "the groups after the last tile are empty"},
    {"gemm_sm80.ll", "late-wait", "(i32 0)",
     "the groups after the last tile are empty"},
    {"gemm_sm90.ll", "wrong-accumulation", "%94 = call",
     "the accumulators are zero before the first wgmma"},
    {"gemm_sm90_cluster.ll", "wrong-accumulation", "%99 = call",
     "the accumulators are zero before the first wgmma"},
    {"", "drop-register-change", "setmaxnreg.inc",
     "emulated threads have as many registers as they need"},
    {"", "wrong-lane", "shfl.sync.idx",
     "all lanes hold the number of their warp"},
};

static const Undetectable *findUndetectable(StringRef input, StringRef kind,
                                            StringRef place) {
  for (const Undetectable &entry : undetectable)
    if ((StringRef(entry.input).empty() || input == entry.input) &&
        kind == entry.kind && place.contains(entry.instruction))
      return &entry;
  return nullptr;
}

static std::unique_ptr<llvm::Module> parse(StringRef text,
                                           llvm::LLVMContext &context) {
  llvm::SMDiagnostic diagnostic;
  return llvm::parseIR(llvm::MemoryBufferRef(text, "kernel"), diagnostic,
                       context);
}

/// Mutates a kernel at a place, and runs it.
static void checkPlace(const Kernel &kernel, GemmRun &gemm, StringRef text,
                       const MutationKind &kind, unsigned place) {
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> module = parse(text, context);
  llvm::Expected<std::string> where = mutate(*module, kind.name, place);
  ASSERT_THAT_EXPECTED(where, Succeeded());
  SCOPED_TRACE(std::string(kind.name) + " at " + *where);
  std::string mutated;
  llvm::raw_string_ostream(mutated) << *module;
  GemmOutcome outcome = kernel.run(gemm, mutated, {});
  bool isFound = !outcome.result.clean() || outcome.numUnwritten != 0 ||
                 !(outcome.error < kernel.limit);
  const Undetectable *exception =
      findUndetectable(kernel.input, kind.name, *where);
  if (exception)
    EXPECT_FALSE(isFound) << "has no effect: " << exception->reason;
  else
    EXPECT_TRUE(isFound) << "has a report, unwritten output or an error";
}

namespace {
class EmulatorMutationTest : public testing::TestWithParam<Kernel> {
protected:
  const Kernel &kernel = GetParam();
  GemmRun gemm{kernel.problem};
  std::string text = readInput(kernel.input);
};

void PrintTo(const Kernel &kernel, std::ostream *os) { *os << kernel.input; }
} // namespace

/// Each kind is tried at another one of its places than in the other kernels.
static const Kernel kernels[] = {
    {"gemm_sm80.ll",
     {128, 128, 160},
     0.0045,
     [](GemmRun &gemm, StringRef text, EmulatorOptions options) {
       return runGemm80(gemm, text, options);
     }},
    {"gemm_sm90.ll",
     {256, 128, 320, true},
     0.006,
     [](GemmRun &gemm, StringRef text, EmulatorOptions options) {
       return runGemm90(gemm, text, 1, options);
     }},
    {"gemm_sm90_cluster.ll",
     {256, 128, 320, true},
     0.006,
     [](GemmRun &gemm, StringRef text, EmulatorOptions options) {
       return runGemm90(gemm, text, 2, options);
     }}};

INSTANTIATE_TEST_SUITE_P(, EmulatorMutationTest, testing::ValuesIn(kernels),
                         [](const auto &info) {
                           return StringRef(info.param.input)
                               .drop_back(StringRef(".ll").size())
                               .str();
                         });

TEST_P(EmulatorMutationTest, WithoutOneNothingIsFoundInAnyOrder) {
  for (uint64_t seed = 0; seed < 2; ++seed) {
    SCOPED_TRACE(seed);
    EmulatorOptions options;
    options.scheduleSeed = seed;
    GemmOutcome outcome = kernel.run(gemm, text, options);
    EXPECT_THAT(outcome.result, IsClean());
    EXPECT_EQ(outcome.numUnwritten, 0u);
    EXPECT_LT(outcome.error, kernel.limit);
  }
}

TEST_P(EmulatorMutationTest, EveryKindIsFound) {
  unsigned number =
      llvm::find_if(kernels,
                    [&](const Kernel &other) {
                      return StringRef(other.input) == kernel.input;
                    }) -
      std::begin(kernels);
  unsigned numKinds = 0;
  for (const MutationKind &kind : getMutationKinds()) {
    llvm::LLVMContext context;
    unsigned count = countMutationPlaces(*parse(text, context), kind);
    if (count == 0)
      continue;
    ++numKinds;
    if (!isFullRun()) {
      checkPlace(kernel, gemm, text, kind, number * (count - 1) / 2);
      continue;
    }
    for (unsigned place = 0; place < count; ++place)
      checkPlace(kernel, gemm, text, kind, place);
  }
  EXPECT_GE(numKinds, 12u) << "kinds that apply";
}

TEST(EmulatorMutatorTest, RefusesWhatDoesNotApply) {
  llvm::LLVMContext context;
  auto module =
      parse("define ptx_kernel void @k() {\n  ret void\n}\n", context);
  EXPECT_THAT_EXPECTED(
      mutate(*module, "be-wrong", 0),
      FailedWithMessage(HasSubstr("there is no mutation 'be-wrong'")))
      << "unknown kind";
  EXPECT_THAT_EXPECTED(mutate(*module, "drop-barrier", 0),
                       FailedWithMessage(HasSubstr(
                           "mutation 'drop-barrier' applies to nothing")))
      << "nothing to change";
  EXPECT_GE(getMutationKinds().size(), 40) << "number of kinds";
  for (const MutationKind &kind : getMutationKinds())
    if (StringRef(kind.name) == "drop-barrier") {
      auto one = parse("declare void @llvm.nvvm.barrier.cta.sync.aligned.all("
                       "i32)\n"
                       "define ptx_kernel void @k() {\n"
                       "  call void @llvm.nvvm.barrier.cta.sync.aligned.all("
                       "i32 0)\n  ret void\n}\n",
                       context);
      std::vector<std::string> places = listMutationPlaces(*one, kind);
      ASSERT_EQ(places.size(), 1u) << "places";
      EXPECT_THAT(places[0], StartsWith("k+0: call void @llvm.nvvm"))
          << "a place";
    }
}
