//===- PassOptions.cpp - lists passes and their options -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "PassOptions.h"

#include "mlir/Pass/PassRegistry.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <unistd.h>

using namespace mlir;

using Entries = llvm::SetVector<const PassRegistryEntry *>;

static void addEntry(StringRef name, Entries &entries) {
  if (const PassInfo *pass = PassInfo::lookup(name))
    entries.insert(pass);
  else if (const PassPipelineInfo *pipeline = PassPipelineInfo::lookup(name))
    entries.insert(pipeline);
}

/// Adds the entries of `argument`: --name=options, or name{options} within a
/// pipeline.
static void addEntries(StringRef argument, Entries &entries) {
  auto [name, options] = argument.ltrim('-').split('=');
  if (!options.empty())
    addEntry(name, entries);
  for (StringRef rest = argument; rest.contains('{');) {
    auto [before, after] = rest.split('{');
    addEntry(before.take_back(before.size() - 1 -
                              before.find_last_of("(,'\" =", StringRef::npos)),
             entries);
    rest = after;
  }
}

/// Passes given as flags and a pipeline given as text exclude each other, with
/// or without options.
static bool mixesPipelines(llvm::ArrayRef<char *> arguments) {
  bool hasPipeline = false, hasFlag = false;
  for (StringRef argument : arguments) {
    StringRef name = argument.ltrim('-').split('=').first;
    hasPipeline |= argument.starts_with("-") && name == "pass-pipeline";
    hasFlag |= argument.starts_with("-") &&
               (PassInfo::lookup(name) || PassPipelineInfo::lookup(name));
  }
  return hasPipeline && hasFlag;
}

void listPassOptions(llvm::ArrayRef<char *> arguments) {
  if (mixesPipelines(arguments.drop_front()))
    return;
  Entries entries;
  for (StringRef argument : arguments.drop_front())
    addEntries(argument, entries);
  // MLIR has them for standard output alone, where the IR would be.
  llvm::outs().flush();
  int output = dup(STDOUT_FILENO);
  dup2(STDERR_FILENO, STDOUT_FILENO);
  for (const PassRegistryEntry *entry : entries) {
    llvm::outs() << "note: options of " << entry->getPassArgument() << ":\n";
    entry->printHelpStr(2, entry->getOptionWidth() + 4);
  }
  llvm::outs().flush();
  dup2(output, STDOUT_FILENO);
  close(output);
}
