//===- IntegerChecks.h - checks of ids and lengths --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_EXECUTION_INTEGERCHECKS_H
#define PARABLOCK_EXECUTION_INTEGERCHECKS_H

#include "parablock/Execution/CacheLimits.h"
#include "parablock/Execution/Engine.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace parablock::runner {

/// Fails if a value of the input `name` contradicts `fact`; compiled engines do
/// not check values.
llvm::Error checkIntegers(llvm::StringRef name, const InputFact &fact,
                          llvm::ArrayRef<int64_t> shape,
                          llvm::function_ref<int64_t(size_t)> getValue);

/// The limits of all integers of a function, computed once for many calls.
class IntegerLimits {
public:
  explicit IntegerLimits(const Signature &signature);

  /// Fails if a value exceeds the limits. `getValue` returns an element of an
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

/// The limits for arguments of these shapes; checking a valid call allocates no
/// memory. The limits must outlive this object.
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

/// Checks one call of a function.
llvm::Error checkIntegerInputs(mlir::func::FuncOp function,
                               llvm::ArrayRef<Tensor> arguments);

} // namespace parablock::runner

#endif // PARABLOCK_EXECUTION_INTEGERCHECKS_H
