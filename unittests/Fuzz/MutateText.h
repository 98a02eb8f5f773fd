//===- MutateText.h - texts and bytes made wrong ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_UNITTESTS_FUZZ_MUTATETEXT_H
#define PARABLOCK_UNITTESTS_FUZZ_MUTATETEXT_H

#include "Random.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace parablock::fuzz {

/// A few changes of tokens, lines or characters of IR text.
std::string mutateText(llvm::StringRef text, Random &random);

/// One number or word of `text`, which is an attribute or a type, is another.
std::string mutateWord(llvm::StringRef text, Random &random);

/// A few changes of single bytes and of spans.
std::string mutateBytes(llvm::StringRef bytes, Random &random);

/// A number that is small, large, negative or none at all.
std::string makeNumber(Random &random);

} // namespace parablock::fuzz

#endif // PARABLOCK_UNITTESTS_FUZZ_MUTATETEXT_H
