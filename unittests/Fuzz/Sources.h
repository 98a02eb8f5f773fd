//===- Sources.h - valid inputs, to be made wrong ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_UNITTESTS_FUZZ_SOURCES_H
#define PARABLOCK_UNITTESTS_FUZZ_SOURCES_H

#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace parablock::fuzz {

/// Contents of the files named PREFIX...SUFFIX in `folder` and below it, sorted
/// by path. An error where there is none.
llvm::Expected<std::vector<std::string>> readFiles(llvm::StringRef folder,
                                                   llvm::StringRef prefix,
                                                   llvm::StringRef suffix);

/// Small models of families and of random forms: a third as they are made, a
/// third expanded, a third optimized.
struct ModelSource {
  std::string text, bytecode;
};
std::vector<ModelSource> makeModelSources(uint64_t seed);

} // namespace parablock::fuzz

#endif // PARABLOCK_UNITTESTS_FUZZ_SOURCES_H
