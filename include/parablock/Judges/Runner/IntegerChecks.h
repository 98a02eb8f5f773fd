//===- IntegerChecks.h - ids and lengths that make sense --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_RUNNER_INTEGERCHECKS_H
#define PARABLOCK_RUNNER_INTEGERCHECKS_H

#include "parablock/Judges/Runner/CacheLimits.h"
#include "parablock/Judges/Runner/Engine.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace parablock::runner {

/// An error where a value of the input `name` contradicts `fact`: engines that
/// compile do not look at each.
llvm::Error checkIntegers(llvm::StringRef name, const InputFact &fact,
                          llvm::ArrayRef<int64_t> shape,
                          llvm::function_ref<int64_t(size_t)> getValue);

/// The limits of all integers of a function, found once for many calls.
class IntegerLimits {
public:
  explicit IntegerLimits(const Signature &signature);

  /// An error where a value contradicts that. `getValue` gives an element of an
  /// argument.
  llvm::Error check(
      llvm::ArrayRef<Shape> shapes,
      llvm::function_ref<int64_t(unsigned argument, size_t at)> getValue) const;

private:
  friend class SizedIntegerLimits;
  struct Input {
    unsigned argument;
    std::string name;
    std::vector<InputLimit> limits;
  };

  std::vector<Input> inputs;
  std::optional<CacheLimits> caches;
};

/// The same where the arguments have these shapes; looking at a call that is as
/// it should be takes no memory. The limits have to stay.
class SizedIntegerLimits {
public:
  SizedIntegerLimits(const IntegerLimits &limits, std::vector<Shape> shapes);

  llvm::ArrayRef<Shape> getShapes() const { return shapes; }
  llvm::Error check(
      llvm::function_ref<int64_t(unsigned argument, size_t at)> getValue) const;

private:
  struct Input {
    unsigned argument;
    std::string name;
    std::vector<int64_t> shape;
    std::vector<IndexLimit> limits;
  };

  const CacheLimits *caches;
  CacheRoom room;
  std::vector<Shape> shapes;
  std::vector<Input> inputs;
};

/// The same for one call of a function.
llvm::Error checkIntegerInputs(mlir::func::FuncOp function,
                               llvm::ArrayRef<Tensor> arguments);

} // namespace parablock::runner

#endif // PARABLOCK_RUNNER_INTEGERCHECKS_H
