//===- InlineAsmText.h - Parser of inline assembly --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_EMULATOR_INLINEASMTEXT_H
#define PARABLOCK_EMULATOR_INLINEASMTEXT_H

#include "Site.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>
#include <string>

namespace llvm {
class CallInst;
} // namespace llvm

namespace parablock::emulator {

/// The meaning of a call of inline assembly.
struct AsmBinding {
  /// Null for an empty text that passes its operands through: a barrier for the
  /// compiler only.
  const OpRow *row = nullptr;
  /// The call's operands in the order of the row's slots.
  llvm::SmallVector<unsigned, 8> operands;
  llvm::SmallVector<int32_t, 8> immediates;
};

/// None, with the reason, for a text that is not in the table.
std::optional<AsmBinding> bindInlineAsm(const llvm::CallInst &call,
                                        std::string &reason);

} // namespace parablock::emulator

#endif // PARABLOCK_EMULATOR_INLINEASMTEXT_H
