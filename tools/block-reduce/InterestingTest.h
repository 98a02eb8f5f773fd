//===- InterestingTest.h - tests by a user's program ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_TOOLS_BLOCK_REDUCE_INTERESTINGTEST_H
#define PARABLOCK_TOOLS_BLOCK_REDUCE_INTERESTINGTEST_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/Error.h"

namespace parablock {

/// A program that is called with the name of a file and exits with 0 while the
/// model in it still shows the behaviour to be isolated.
class InterestingTest {
public:
  static llvm::Expected<InterestingTest> create(llvm::StringRef program);

  /// Runs the program on `module`.
  llvm::Expected<bool> holdsFor(mlir::ModuleOp module) const;

private:
  explicit InterestingTest(std::string path) : path(std::move(path)) {}
  std::string path;
};

} // namespace parablock

#endif // PARABLOCK_TOOLS_BLOCK_REDUCE_INTERESTINGTEST_H
