//===- ElementTypes.h - what tensors of a type hold -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_IR_ELEMENTTYPES_H
#define PARABLOCK_IR_ELEMENTTYPES_H

#include "mlir/IR/Types.h"
#include "parablock/Support/FloatFormats.h"
#include <optional>

namespace parablock {

/// How elements of `type`, or of the tensors that it is the type of, are
/// stored; none for what no file of tensors can hold.
std::optional<ElementType> getElementTypeOf(mlir::Type type);

} // namespace parablock

#endif // PARABLOCK_IR_ELEMENTTYPES_H
