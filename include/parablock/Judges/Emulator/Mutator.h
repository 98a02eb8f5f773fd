//===- Mutator.h - Mutations of kernels -------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Mutations measure how many defects the tests of kernels find. A mutation
// changes one instruction of a device module like a mistake of a programmer or
// compiler; the emulator should report it, or the output should be unwritten or
// wrong.
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
  /// For example "a barrier of the CTA is left out".
  const char *description;
  /// Returns true for an instruction that it applies to.
  bool (*applies)(llvm::Instruction &instruction);
  /// Changes or erases the instruction.
  void (*apply)(llvm::Instruction &instruction);
};

llvm::ArrayRef<MutationKind> getMutationKinds();

/// Returns the number of instructions of the module that `kind` applies to.
unsigned countMutationPlaces(llvm::Module &module, const MutationKind &kind);

/// Returns the places, "function+N: instruction", N being its position in the
/// function; `mutate` changes them for the seeds 0, 1, ...
std::vector<std::string> listMutationPlaces(llvm::Module &module,
                                            const MutationKind &kind);

/// Applies the kind of that name at one of its places, selected by `seed`
/// modulo their number. Returns the place in the format of listMutationPlaces.
/// Fails for an unknown kind, or if it applies nowhere.
llvm::Expected<std::string> mutate(llvm::Module &module, llvm::StringRef kind,
                                   uint64_t seed);

} // namespace parablock

#endif // PARABLOCK_EMULATOR_MUTATOR_H
