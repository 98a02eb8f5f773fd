//===- Mutator.cpp - finds and applies mutations --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Judges/Emulator/Mutator.h"

#include "llvm/ADT/StringExtras.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/raw_ostream.h"
#include <vector>

using namespace parablock;

/// The places of a kind, and the position of each in its function.
static std::vector<std::pair<llvm::Instruction *, unsigned>>
findPlaces(llvm::Module &module, const MutationKind &kind) {
  std::vector<std::pair<llvm::Instruction *, unsigned>> places;
  for (llvm::Function &function : module) {
    unsigned position = 0;
    for (llvm::BasicBlock &block : function)
      for (llvm::Instruction &instruction : block) {
        if (kind.applies(instruction))
          places.push_back({&instruction, position});
        ++position;
      }
  }
  return places;
}

unsigned parablock::countMutationPlaces(llvm::Module &module,
                                        const MutationKind &kind) {
  return static_cast<unsigned>(findPlaces(module, kind).size());
}

static std::string describePlace(const llvm::Instruction &instruction,
                                 unsigned position) {
  std::string what;
  llvm::raw_string_ostream(what) << instruction;
  // Assembly with many operands would fill the screen.
  llvm::StringRef shown = llvm::StringRef(what).trim().take_front(120);
  return (instruction.getFunction()->getName() + "+" + llvm::Twine(position) +
          ": " + shown)
      .str();
}

std::vector<std::string>
parablock::listMutationPlaces(llvm::Module &module, const MutationKind &kind) {
  std::vector<std::string> places;
  for (auto [instruction, position] : findPlaces(module, kind))
    places.push_back(describePlace(*instruction, position));
  return places;
}

llvm::Expected<std::string>
parablock::mutate(llvm::Module &module, llvm::StringRef name, uint64_t seed) {
  const MutationKind *kind =
      llvm::find_if(getMutationKinds(), [&](const MutationKind &entry) {
        return name == entry.name;
      });
  if (kind == getMutationKinds().end()) {
    std::vector<llvm::StringRef> names;
    for (const MutationKind &entry : getMutationKinds())
      names.push_back(entry.name);
    return llvm::createStringError("there is no mutation '" + name +
                                   "': expected one of " +
                                   llvm::join(names, ", "));
  }
  auto places = findPlaces(module, *kind);
  if (places.empty())
    return llvm::createStringError("mutation '" + name +
                                   "' applies to nothing in the module");
  auto [instruction, position] = places[seed % places.size()];
  std::string text = describePlace(*instruction, position);
  kind->apply(*instruction);
  return text;
}
