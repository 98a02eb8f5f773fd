//===- HostTensor.h - a tensor in memory, as numbers ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_SUPPORT_HOSTTENSOR_H
#define PARABLOCK_SUPPORT_HOSTTENSOR_H

#include "parablock/Support/FloatFormats.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include <memory>
#include <vector>

namespace parablock {

/// A tensor value: float64 for every element type, row-major. Copies share the
/// elements, which are immutable.
struct HostTensor {
  ElementType type = ElementType::F64;
  llvm::SmallVector<int64_t> shape;
  std::shared_ptr<const std::vector<double>> values;

  llvm::ArrayRef<double> data() const { return *values; }
  int64_t getNumElements() const {
    return values ? static_cast<int64_t>(values->size()) : 0;
  }
};

/// Returns a tensor of these values.
inline HostTensor makeTensor(ElementType type, llvm::ArrayRef<int64_t> shape,
                             std::vector<double> values) {
  return {type, llvm::SmallVector<int64_t>(shape),
          std::make_shared<const std::vector<double>>(std::move(values))};
}

} // namespace parablock

#endif // PARABLOCK_SUPPORT_HOSTTENSOR_H
