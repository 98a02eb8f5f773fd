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
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Format.h"

using namespace parablock;
using namespace parablock::fuzz;
namespace cl = llvm::cl;

namespace {
enum class Kind { IR, SafeTensors, Config };
enum class Provoked { Nothing, Crash, Hang, Memory };

struct Flags {
  cl::opt<uint64_t> seed{"seed", cl::desc("of all choices"), cl::init(1)};
  cl::opt<uint64_t> first{"first", cl::desc("number of the first case"),
                          cl::init(0)};
  cl::opt<uint64_t> count{"count", cl::desc("number of cases"),
                          cl::init(10'000)};
  cl::opt<uint64_t> single{
      "case", cl::desc("only this case, whose input is printed")};
  cl::list<Kind> only{
      "only", cl::desc("only the cases of this kind"),
      cl::values(clEnumValN(Kind::IR, "ir", "text and bytecode"),
                 clEnumValN(Kind::SafeTensors, "safetensors", "tensor files"),
                 clEnumValN(Kind::Config, "config", "model configs"))};
  cl::opt<std::string> irFolder{"ir-files", cl::desc("folder of valid IR"),
                                cl::Required};
  cl::opt<std::string> configFolder{
      "config-files", cl::desc("folder of config.json files"), cl::Required};
  cl::opt<double> leastParsed{
      "least-parsed", cl::desc("percentage of IR that must parse")};
  cl::opt<double> leastRan{"least-ran",
                           cl::desc("percentage of IR that must run")};
  cl::opt<Provoked> provoke{
      "provoke", cl::desc("what the first case does, for tests"),
      cl::values(clEnumValN(Provoked::Crash, "crash", "reads address 0"),
                 clEnumValN(Provoked::Hang, "hang", "never ends"),
                 clEnumValN(Provoked::Memory, "memory", "allocates 8 GB"))};
};

class Fuzzer {
public:
  Fuzzer(const Flags &flags, std::vector<std::string> irFiles,
         std::vector<std::string> configFiles)
      : flags(flags), ir(flags.seed, std::move(irFiles)),
        config(std::move(configFiles)) {}

  void runCase(uint64_t number, bool single);
  /// The exit code.
  int report() const;

private:
  Tally &tallyOf(Kind kind) { return tallies[static_cast<unsigned>(kind)]; }
  const Tally &tallyOf(Kind kind) const {
    return tallies[static_cast<unsigned>(kind)];
  }

  const Flags &flags;
  IRFuzzer ir;
  SafeTensorsFuzzer safeTensors;
  ConfigFuzzer config;
  Tally tallies[3];
  uint64_t failures = 0;
};
} // namespace

static Kind getKind(uint64_t number) {
  uint64_t digit = number % 10;
  return digit < 6 ? Kind::IR : digit < 8 ? Kind::SafeTensors : Kind::Config;
}

void Fuzzer::runCase(uint64_t number, bool single) {
  Kind kind = getKind(number);
  if (!single && flags.only.getNumOccurrences() &&
      !llvm::is_contained(flags.only, kind))
    return;
  enterCase(flags.seed, number);
  Random random(splitmix64(flags.seed) ^ splitmix64(~number));
  std::string input = kind == Kind::IR ? ir.makeInput(random)
                      : kind == Kind::SafeTensors
                          ? safeTensors.makeInput(random)
                          : config.makeInput(random);
  if (single) {
    llvm::outs() << input << "\n";
    llvm::outs().flush();
  }
  Findings findings;
  findings.verbose = single;
  if (kind == Kind::IR)
    ir.process(input, random, tallyOf(kind), findings);
  else if (kind == Kind::SafeTensors)
    safeTensors.process(input, tallyOf(kind), findings);
  else
    config.process(input, random, tallyOf(kind), findings);
  for (const std::string &failure : findings.failures)
    llvm::errs() << "block-fuzz: --seed=" << flags.seed << " --case=" << number
                 << ": " << failure << "\n";
  failures += findings.failures.size();
}

static double getPercentage(uint64_t part, uint64_t whole) {
  return whole ? 100.0 * static_cast<double>(part) / static_cast<double>(whole)
               : 0.0;
}

int Fuzzer::report() const {
  std::tuple<Kind, const char *, const char *, const char *> rows[] = {
      {Kind::IR, "ir", "parsed", "ran"},
      {Kind::SafeTensors, "safetensors", "read", "decoded"},
      {Kind::Config, "config", "read", "built"}};
  for (auto [kind, name, accepted, ran] : rows) {
    const Tally &tally = tallyOf(kind);
    llvm::outs() << name << ": " << tally.cases << " cases, "
                 << llvm::format("%.1f%% ",
                                 getPercentage(tally.accepted, tally.cases))
                 << accepted << ", "
                 << llvm::format("%.1f%% ",
                                 getPercentage(tally.ran, tally.cases))
                 << ran << "\n";
  }
  const Tally &tally = tallyOf(Kind::IR);
  bool enough =
      getPercentage(tally.accepted, tally.cases) >= flags.leastParsed &&
      getPercentage(tally.ran, tally.cases) >= flags.leastRan;
  if (!enough)
    llvm::outs() << "too little IR gets through\n";
  llvm::outs() << failures << " failures\n";
  return failures || !enough ? 1 : 0;
}

static void provoke(Provoked what) {
  static volatile int *volatile nowhere = nullptr;
  static volatile bool forever = true;
  if (what == Provoked::Crash)
    *nowhere = 1;
  while (what == Provoked::Hang && forever) {
  }
  if (what == Provoked::Memory)
    for (size_t i = 0; forever && i < 8; ++i)
      *new volatile char[size_t(1) << 30] = 1;
}

int main(int argc, char **argv) {
  cl::ResetCommandLineParser();
  Flags flags;
  cl::ParseCommandLineOptions(argc, argv, "Parablock: wrong inputs\n");
  llvm::Expected<std::vector<std::string>> files[] = {
      readFiles(flags.irFolder, "ops-", ".mlir"),
      readFiles(flags.configFolder, "config", ".json")};
  for (auto &read : files)
    if (!read) {
      llvm::errs() << "error: " << llvm::toString(read.takeError()) << "\n";
      return 1;
    }
  containProcess();
  Fuzzer fuzzer(flags, std::move(*files[0]), std::move(*files[1]));
  if (flags.provoke != Provoked::Nothing) {
    enterCase(flags.seed, flags.first);
    provoke(flags.provoke);
  }
  if (flags.single.getNumOccurrences())
    fuzzer.runCase(flags.single, /*single=*/true);
  else
    for (uint64_t i = 0; i < flags.count; ++i)
      fuzzer.runCase(flags.first + i, /*single=*/false);
  leaveCases();
  return fuzzer.report();
}
