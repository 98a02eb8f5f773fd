//===- MutateJSON.h - JSON made wrong ---------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_UNITTESTS_FUZZ_MUTATEJSON_H
#define PARABLOCK_UNITTESTS_FUZZ_MUTATEJSON_H

#include "Random.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/JSON.h"

namespace parablock::fuzz {

/// A few changes of fields and elements: other numbers, other types, missing,
/// repeated under another name, nested. `words` are strings worth trying.
void mutateJSON(llvm::json::Value &value, llvm::ArrayRef<llvm::StringRef> words,
                Random &random);

} // namespace parablock::fuzz

#endif // PARABLOCK_UNITTESTS_FUZZ_MUTATEJSON_H
