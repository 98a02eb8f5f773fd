//===- BlockOps.cpp - includes generated op definitions -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Dialect/Block/BlockOps.h"

#include "TypeRules.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/OpImplementation.h"

using namespace mlir;
using namespace parablock::block;

/// An integer without its type: `at 3`.
static ParseResult parsePlainI64(OpAsmParser &parser, IntegerAttr &attribute) {
  int64_t value = 0;
  if (parser.parseInteger(value))
    return failure();
  attribute = parser.getBuilder().getI64IntegerAttr(value);
  return success();
}

static void printPlainI64(OpAsmPrinter &printer, Operation *,
                          IntegerAttr attribute) {
  printer << attribute.getInt();
}

#include "parablock/Dialect/Block/AttentionInterface.cpp.inc"
#include "parablock/Dialect/Block/WeightInterface.cpp.inc"

#define GET_OP_CLASSES
#include "parablock/Dialect/Block/BlockOps.cpp.inc"
