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

using namespace parablock;
using namespace parablock::unittest;
using llvm::StringRef;
using llvm::Twine;

namespace {
struct Kernel {
  const char *input;
  double limit;
  GemmRun &gemm;
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

static void testPlace(const Kernel &kernel, StringRef text,
                      const MutationKind &kind, unsigned place) {
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> module = parse(text, context);
  llvm::Expected<std::string> where = mutate(*module, kind.name, place);
  if (!CHECK_SUCCEEDS("mutates", where.takeError()))
    return;
  std::string mutated;
  llvm::raw_string_ostream(mutated) << *module;
  GemmOutcome outcome = kernel.run(kernel.gemm, mutated, {});
  bool isFound = !outcome.result.clean() || outcome.numUnwritten != 0 ||
                 !(outcome.error < kernel.limit);
  const Undetectable *exception =
      findUndetectable(kernel.input, kind.name, *where);
  record(isFound == !exception,
         Twine(kernel.input) + ": " + kind.name +
             (exception ? " is not found" : " is found") + " at " + *where,
         __FILE__, __LINE__,
         exception ? Twine("expected no effect because ") + exception->reason
                   : Twine("expected a report, unwritten output or an error"));
}

/// Without a mutation nothing is found, in whatever order threads run.
static void testClean(const Kernel &kernel, StringRef text) {
  for (uint64_t seed = 0; seed < 2; ++seed) {
    EmulatorOptions options;
    options.scheduleSeed = seed;
    GemmOutcome outcome = kernel.run(kernel.gemm, text, options);
    std::string name =
        (Twine(kernel.input) + " as it is, order " + Twine(seed)).str();
    checkClean(name, outcome.result);
    CHECK_EQUAL(name + ": everything is written", outcome.numUnwritten,
                uint64_t(0));
    CHECK(name + ": against double", outcome.error < kernel.limit);
  }
}

/// The number of the kernel says at which place of a few each kind is tried.
static void testKernel(unsigned number, const Kernel &kernel) {
  std::string text = readInput(kernel.input);
  testClean(kernel, text);
  unsigned numKinds = 0;
  for (const MutationKind &kind : getMutationKinds()) {
    llvm::LLVMContext context;
    unsigned count = countMutationPlaces(*parse(text, context), kind);
    if (count == 0)
      continue;
    ++numKinds;
    if (!isFullRun()) {
      testPlace(kernel, text, kind, number * (count - 1) / 2);
      continue;
    }
    for (unsigned place = 0; place < count; ++place)
      testPlace(kernel, text, kind, place);
  }
  CHECK(Twine(kernel.input) + ": kinds that apply", numKinds >= 12);
}

static void testRefusals() {
  llvm::LLVMContext context;
  auto module =
      parse("define ptx_kernel void @k() {\n  ret void\n}\n", context);
  CHECK_FAILS("unknown kind", mutate(*module, "be-wrong", 0),
              "there is no mutation 'be-wrong'");
  CHECK_FAILS("nothing to change", mutate(*module, "drop-barrier", 0),
              "mutation 'drop-barrier' applies to nothing");
  CHECK("number of kinds", getMutationKinds().size() >= 40);
  for (const MutationKind &kind : getMutationKinds())
    if (StringRef(kind.name) == "drop-barrier") {
      auto one = parse("declare void @llvm.nvvm.barrier.cta.sync.aligned.all("
                       "i32)\n"
                       "define ptx_kernel void @k() {\n"
                       "  call void @llvm.nvvm.barrier.cta.sync.aligned.all("
                       "i32 0)\n  ret void\n}\n",
                       context);
      std::vector<std::string> places = listMutationPlaces(*one, kind);
      CHECK_EQUAL("places", places.size(), size_t(1));
      CHECK("a place",
            StringRef(places[0]).starts_with("k+0: call void @llvm.nvvm"));
    }
}

int main() {
  testRefusals();
  GemmRun plain({128, 128, 160}), fused({256, 128, 320, true});
  testKernel(0, {"gemm_sm80.ll", 0.0045, plain,
                 [](GemmRun &gemm, StringRef text, EmulatorOptions options) {
                   return runGemm80(gemm, text, options);
                 }});
  testKernel(1, {"gemm_sm90.ll", 0.006, fused,
                 [](GemmRun &gemm, StringRef text, EmulatorOptions options) {
                   return runGemm90(gemm, text, 1, options);
                 }});
  testKernel(2, {"gemm_sm90_cluster.ll", 0.006, fused,
                 [](GemmRun &gemm, StringRef text, EmulatorOptions options) {
                   return runGemm90(gemm, text, 2, options);
                 }});
  return finish();
}
