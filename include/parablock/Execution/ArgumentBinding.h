//===- ArgumentBinding.h - sizes of dynamic dimensions ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_EXECUTION_ARGUMENTBINDING_H
#define PARABLOCK_EXECUTION_ARGUMENTBINDING_H

#include "parablock/Execution/Signature.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

namespace parablock::runner {

/// The names and sizes of `--dims=batch=2,seq=65`, in order. Sizes are at least
/// 1; a name given twice is an error.
using DimSizes = std::vector<std::pair<std::string, int64_t>>;
llvm::Expected<DimSizes> parseDimSizes(llvm::StringRef text);

using Shape = llvm::SmallVector<int64_t, 4>;

/// The sizes of a function's dynamic dimensions, from the command line and from
/// existing tensors. Every size records its origin, so that a conflict can name
/// both sides.
class DimensionBinding {
public:
  /// `given` may contain a shared name (`batch`), that of an unnamed dimension
  /// of one argument (`arg00.d1`), or `dN` for dimension N of every argument
  /// without names. Names that the function lacks remain unused. `encoder_seq`
  /// defaults to the size of `seq`.
  explicit DimensionBinding(const DimSizes &given);

  /// Binds `argument` to a tensor of this shape, found at `origin`.
  llvm::Error bind(const Argument &argument, llvm::ArrayRef<int64_t> shape,
                   llvm::StringRef origin);

  /// Returns the shapes of all arguments with every size known. Errors: a
  /// dimension without a size; more elements than fit this machine's memory, if
  /// they are to be held.
  llvm::Expected<std::vector<Shape>> resolve(const Signature &signature,
                                             bool isHeld);

  /// Returns whether a name from the command line was used.
  bool isUsed(llvm::StringRef name) const { return usedNames.contains(name); }

private:
  struct Size {
    int64_t value;
    std::string origin;
  };
  const Size *findNamed(llvm::StringRef name);
  const Size *find(const Argument &argument, unsigned dim);
  llvm::Expected<Shape> resolve(const Argument &argument);

  llvm::StringMap<Size> sizes;
  llvm::StringSet<> usedNames;
};

} // namespace parablock::runner

#endif // PARABLOCK_EXECUTION_ARGUMENTBINDING_H
