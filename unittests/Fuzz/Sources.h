//===- Sources.h - valid inputs, to be made wrong ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_UNITTESTS_FUZZ_SOURCES_H
#define PARABLOCK_UNITTESTS_FUZZ_SOURCES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/Error.h"
#include <map>
#include <string>
#include <vector>

namespace parablock::fuzz {

/// Contents of the files named PREFIX...SUFFIX in `folder` and below it, sorted
/// by path. An error where there is none.
llvm::Expected<std::vector<std::string>> readFiles(llvm::StringRef folder,
                                                   llvm::StringRef prefix,
                                                   llvm::StringRef suffix);

/// Small models of families and of random forms: a third as they are made, a
/// third expanded, a third optimized. Made when first asked for.
class ModelSources {
public:
  explicit ModelSources(uint64_t seed) : seed(seed) {}

  static constexpr unsigned count = 192;
  const std::string &getText(unsigned index) { return get(index).text; }
  const std::string &getBytecode(unsigned index) { return get(index).bytecode; }

private:
  struct Model {
    std::string text, bytecode;
  };
  const Model &get(unsigned index);

  uint64_t seed;
  std::map<unsigned, Model> models;
};

} // namespace parablock::fuzz

#endif // PARABLOCK_UNITTESTS_FUZZ_SOURCES_H
