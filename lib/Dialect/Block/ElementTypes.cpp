//===- ElementTypes.cpp - maps IR types to element types ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Dialect/Block/ElementTypes.h"

#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace parablock;

/// Returns the type of integers. Only 8-bit unsigned integers have a type;
/// others would change value if treated as signed.
static std::optional<ElementType> getIntegerType(IntegerType type) {
  if (type.isUnsigned())
    return type.getWidth() == 8 ? std::optional(ElementType::U8) : std::nullopt;
  switch (type.getWidth()) {
  case 64:
    return ElementType::I64;
  case 32:
    return ElementType::I32;
  case 16:
    return ElementType::I16;
  case 8:
    return ElementType::I8;
  case 1:
    return ElementType::Bool;
  default:
    return std::nullopt;
  }
}

std::optional<ElementType> parablock::getElementTypeOf(Type type) {
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    type = tensor.getElementType();
  using Result = std::optional<ElementType>;
  return llvm::TypeSwitch<Type, Result>(type)
      .Case([](Float64Type) -> Result { return ElementType::F64; })
      .Case([](Float32Type) -> Result { return ElementType::F32; })
      .Case([](BFloat16Type) -> Result { return ElementType::BF16; })
      .Case([](Float16Type) -> Result { return ElementType::F16; })
      .Case([](IntegerType integer) { return getIntegerType(integer); })
      .Default(Result());
}
