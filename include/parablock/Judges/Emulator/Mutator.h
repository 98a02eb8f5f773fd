//===- Mutator.h - Making kernels wrong on purpose --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Tests of kernels are worth what they find. A mutation changes one
// instruction of a device module the way a programmer or a compiler might get
// it wrong; the emulator's reports, unwritten output or wrong numbers should
// show it.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_EMULATOR_MUTATOR_H
#define PARABLOCK_EMULATOR_MUTATOR_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/Instruction.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace parablock {

/// One way to be wrong.
struct MutationKind {
  /// As in "drop-barrier".
  const char *name;
  /// As in "a barrier of the CTA is left out".
  const char *description;
  /// True of an instruction that it can be applied to.
  bool (*applies)(llvm::Instruction &instruction);
  /// Changes or erases the instruction.
  void (*apply)(llvm::Instruction &instruction);
};

llvm::ArrayRef<MutationKind> getMutationKinds();

/// How many instructions of the module `kind` can be applied to.
unsigned countMutationPlaces(llvm::Module &module, const MutationKind &kind);

/// The places themselves, "function+N: instruction", N being its position in
/// the function; what `mutate` changes for the seeds 0, 1, ...
std::vector<std::string> listMutationPlaces(llvm::Module &module,
                                            const MutationKind &kind);

/// Applies the kind of that name at one of its places, the one that `seed`
/// picks: modulo their number. Gives the place as listMutationPlaces does.
/// Fails for an unknown kind, or where it applies to nothing.
llvm::Expected<std::string> mutate(llvm::Module &module, llvm::StringRef kind,
                                   uint64_t seed);

} // namespace parablock

#endif // PARABLOCK_EMULATOR_MUTATOR_H
