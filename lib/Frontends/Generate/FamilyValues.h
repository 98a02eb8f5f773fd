//===- FamilyValues.h - values of families' JSON ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Helpers of the readers of families/*.json. The texts are part of the program:
// a mistake in one is an internal error.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_GENERATE_FAMILYVALUES_H
#define PARABLOCK_LIB_GENERATE_FAMILYVALUES_H

#include "llvm/ADT/Twine.h"
#include "llvm/Support/JSON.h"

namespace parablock::generate {

/// Ends the program with the mistake, or with what was found instead.
[[noreturn]] void stop(const llvm::Twine &message);
[[noreturn]] void stop(const llvm::Twine &expected,
                       const llvm::json::Value &found);

const llvm::json::Object &getObject(const llvm::json::Value &value);
const llvm::json::Array &getList(const llvm::json::Value &value);

/// Applies `changes`: fields replace fields, null removes one. In a list,
/// {"0": ...} patches its first element, and "+" appends.
void patch(llvm::json::Value &base, const llvm::json::Value &changes);

} // namespace parablock::generate

#endif // PARABLOCK_LIB_GENERATE_FAMILYVALUES_H
