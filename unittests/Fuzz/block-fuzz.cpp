//===- block-fuzz.cpp - wrong inputs, thousands of them -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Every case is a function of --seed and its number. Exit codes: 1 for inputs
// that the project treats wrongly, 3 for a crash, a hang or too much memory.
//
//===----------------------------------------------------------------------===//

#include "Containment.h"
#include "Fuzzers.h"
#include "mlir/Bytecode/BytecodeReader.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/MemoryBufferRef.h"
#include <sys/mman.h>

using namespace parablock;
using namespace parablock::fuzz;
namespace cl = llvm::cl;

namespace {
enum class Kind { IR, SafeTensors, Config, Recipe, Choice };
constexpr unsigned numKinds = 5;
enum class Provoked { Nothing, Crash, Hang, Abort };

struct Flags {
  cl::opt<uint64_t> seed{"seed", cl::desc("of all choices"), cl::init(1)};
  cl::opt<uint64_t> first{"first", cl::desc("number of the first case"),
                          cl::init(0)};
  cl::opt<uint64_t> count{"count", cl::desc("number of cases"),
                          cl::init(10'000)};
  cl::opt<uint64_t> single{"case",
                           cl::desc("only this case, whose input is printed")};
  cl::list<Kind> only{
      "only", cl::desc("only the cases of this kind"),
      cl::values(clEnumValN(Kind::IR, "ir", "text and bytecode"),
                 clEnumValN(Kind::SafeTensors, "safetensors", "tensor files"),
                 clEnumValN(Kind::Config, "config", "model configs"),
                 clEnumValN(Kind::Recipe, "recipe", "recipes of weights"),
                 clEnumValN(Kind::Choice, "choice", "choices of pairs"))};
  cl::opt<std::string> irFolder{"ir-files", cl::desc("folder of valid IR"),
                                cl::Required};
  cl::opt<std::string> configFolder{
      "config-files", cl::desc("folder of config.json files"), cl::Required};
  cl::opt<std::string> packageFolder{
      "package", cl::desc("a package, for its recipe"), cl::Required};
  cl::opt<double> leastParsed{"least-parsed",
                              cl::desc("percentage of IR that must parse")};
  cl::opt<double> leastRan{"least-ran",
                           cl::desc("percentage of IR that must run")};
  cl::opt<Provoked> provoke{
      "provoke", cl::desc("what the first case does, for tests"),
      cl::values(clEnumValN(Provoked::Crash, "crash", "reads address 0"),
                 clEnumValN(Provoked::Hang, "hang", "never ends"),
                 clEnumValN(Provoked::Abort, "abort", "fails an assertion"))};
};

/// Seen by children and their parent.
struct Counts {
  Tally tallies[numKinds];
  uint64_t failures = 0;
  uint64_t next = 0; // number of the next case
  Tally &of(Kind kind) { return tallies[static_cast<unsigned>(kind)]; }
};

class Fuzzer {
public:
  using Files = std::vector<std::string>;
  Fuzzer(const Flags &flags, Files irFiles, Files configFiles, Files recipes);

  bool wants(Kind kind) const {
    return isSingle() || flags.only.empty() ||
           llvm::is_contained(flags.only, kind);
  }
  void runCases(uint64_t first, uint64_t count);
  /// The exit code.
  int report();

private:
  bool isSingle() const { return flags.single.getNumOccurrences(); }
  std::string makeInput(Kind kind, Random &random);
  void process(Kind kind, const std::string &input, Random &random,
               Findings &findings);
  void runCase(uint64_t number);
  void contain(Kind kind, llvm::function_ref<void()> body);

  const Flags &flags;
  IRFuzzer ir;
  SafeTensorsFuzzer safeTensors;
  ConfigFuzzer config;
  DocumentFuzzer recipe, choice;
  Counts *counts;
};
} // namespace

static Kind getKind(uint64_t number) {
  uint64_t digit = number % 10;
  if (digit < 7)
    return digit < 5 ? Kind::IR : Kind::SafeTensors;
  if (digit == 9)
    return Kind::Choice;
  Kind others[] = {Kind::Config, Kind::Recipe, Kind::Config, Kind::Choice};
  return others[number / 10 % 2 * 2 + (digit - 7)];
}

Fuzzer::Fuzzer(const Flags &flags, Files irFiles, Files configFiles,
               Files recipes)
    : flags(flags), ir(flags.seed, std::move(irFiles)),
      config(std::move(configFiles)),
      recipe(makeRecipeFuzzer(std::move(recipes))), choice(makeChoiceFuzzer()) {
  void *shared = mmap(nullptr, sizeof(Counts), PROT_READ | PROT_WRITE,
                      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED)
    llvm::report_fatal_error("cannot share memory with children");
  counts = new (shared) Counts;
}

std::string Fuzzer::makeInput(Kind kind, Random &random) {
  switch (kind) {
  case Kind::IR:
    return ir.makeInput(random);
  case Kind::SafeTensors:
    return safeTensors.makeInput(random);
  case Kind::Config:
    return config.makeInput(random);
  case Kind::Recipe:
    return recipe.makeInput(random);
  case Kind::Choice:
    return choice.makeInput(random);
  }
  llvm_unreachable("every kind has its case");
}

void Fuzzer::process(Kind kind, const std::string &input, Random &random,
                     Findings &findings) {
  Tally &tally = counts->of(kind);
  switch (kind) {
  case Kind::IR:
    return ir.process(input, random, tally, findings);
  case Kind::SafeTensors:
    return safeTensors.process(input, tally, findings);
  case Kind::Config:
    return config.process(input, random, tally, findings);
  case Kind::Recipe:
    return recipe.process(input, tally, findings);
  case Kind::Choice:
    return choice.process(input, tally, findings);
  }
}

void Fuzzer::runCase(uint64_t number) {
  Kind kind = getKind(number);
  if (!wants(kind))
    return;
  enterCase(flags.seed, number);
  ++counts->of(kind).cases;
  Random random(splitmix64(flags.seed) ^ splitmix64(~number));
  std::string input = makeInput(kind, random);
  Findings findings;
  if (isSingle()) {
    findings.verbose = true;
    llvm::outs() << input << "\n";
    llvm::outs().flush();
  }
  auto processAndCount = [&] {
    process(kind, input, random, findings);
    for (const std::string &failure : findings.failures)
      llvm::errs() << "block-fuzz: --seed=" << flags.seed
                   << " --case=" << number << ": " << failure << "\n";
    counts->failures += findings.failures.size();
  };
  // What MLIR's reader of bytecode writes where it must not is found by others
  // much later, if it is found at all.
  if (mlir::isBytecode(llvm::MemoryBufferRef(input, "input")))
    contain(kind, processAndCount);
  else
    processAndCount();
}

/// Runs `body` in a child, whose end by a crash of MLIR is none of ours.
void Fuzzer::contain(Kind kind, llvm::function_ref<void()> body) {
  if (!runInChild(body))
    ++counts->of(kind).crashedMLIR;
}

/// A child for each case would spend most of the time on being made.
static constexpr uint64_t kCasesPerChild = 40;

void Fuzzer::runCases(uint64_t first, uint64_t count) {
  counts->next = first;
  while (counts->next < first + count) {
    uint64_t end = std::min(first + count, counts->next + kCasesPerChild);
    // Nearly all that crash are IR: of the others recipes alone are MLIR's.
    contain(Kind::IR, [&] {
      while (counts->next < end)
        runCase(counts->next++);
    });
  }
}

static double getPercentage(uint64_t part, uint64_t whole) {
  return whole ? 100.0 * static_cast<double>(part) / static_cast<double>(whole)
               : 0.0;
}

/// Number of cases of which at least one is read, of whatever kind.
static constexpr uint64_t kCasesOfWhichOneIsRead = 100;

int Fuzzer::report() {
  bool isOneEmpty = false;
  std::tuple<Kind, const char *, const char *, const char *> rows[] = {
      {Kind::IR, "ir", "parsed", "ran"},
      {Kind::SafeTensors, "safetensors", "read", "decoded"},
      {Kind::Config, "config", "read", "built"},
      {Kind::Recipe, "recipe", "read", "held against weights"},
      {Kind::Choice, "choice", "read", "written"}};
  for (auto [kind, name, accepted, ran] : rows) {
    const Tally &tally = counts->of(kind);
    llvm::outs() << name << ": " << tally.cases << " cases, "
                 << llvm::format("%.1f%% ",
                                 getPercentage(tally.accepted, tally.cases))
                 << accepted << ", "
                 << llvm::format("%.1f%% ",
                                 getPercentage(tally.ran, tally.cases))
                 << ran;
    if (tally.crashedMLIR)
      llvm::outs() << ", " << tally.crashedMLIR << " crashed MLIR itself";
    llvm::outs() << "\n";
    isOneEmpty |= tally.cases >= kCasesOfWhichOneIsRead && !tally.accepted;
  }
  const Tally &tally = counts->of(Kind::IR);
  bool enough =
      !isOneEmpty &&
      getPercentage(tally.accepted, tally.cases) >= flags.leastParsed &&
      getPercentage(tally.ran, tally.cases) >= flags.leastRan;
  if (!enough)
    llvm::outs() << "too little gets through\n";
  llvm::outs() << counts->failures << " failures\n";
  return counts->failures || !enough ? 1 : 0;
}

static void provoke(Provoked what) {
  static volatile int *volatile nowhere = nullptr;
  static volatile bool forever = true;
  if (what == Provoked::Crash)
    *nowhere = 1;
  while (what == Provoked::Hang && forever) {
  }
  if (what == Provoked::Abort)
    abort();
}

int main(int argc, char **argv) {
  cl::ResetCommandLineParser();
  Flags flags;
  cl::ParseCommandLineOptions(argc, argv, "Parablock: wrong inputs\n");
  llvm::Expected<std::vector<std::string>> files[] = {
      readFiles(flags.irFolder, "ops-", ".mlir"),
      readFiles(flags.configFolder, "config", ".json"),
      readFiles(flags.packageFolder, "recipe", ".mlir")};
  for (auto &read : files)
    if (!read) {
      llvm::errs() << "error: " << llvm::toString(read.takeError()) << "\n";
      return 1;
    }
  containProcess();
  Fuzzer fuzzer(flags, std::move(*files[0]), std::move(*files[1]),
                std::move(*files[2]));
  if (flags.provoke != Provoked::Nothing) {
    enterCase(flags.seed, flags.first);
    provoke(flags.provoke);
  }
  if (flags.single.getNumOccurrences())
    fuzzer.runCases(flags.single, 1);
  else
    fuzzer.runCases(flags.first, flags.count);
  return fuzzer.report();
}
