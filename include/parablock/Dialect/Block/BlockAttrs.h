//===- BlockAttrs.h - attributes and enums of the dialect -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_IR_BLOCKATTRS_H
#define PARABLOCK_IR_BLOCKATTRS_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/OpImplementation.h"
#include "parablock/Dialect/Block/BlockDialect.h"

#include "parablock/Dialect/Block/BlockEnums.h.inc"

namespace parablock::block {

/// Reads and writes a real parameter: a number without a type, kept as f64.
mlir::FailureOr<mlir::FloatAttr> parseReal(mlir::AsmParser &parser);
mlir::FailureOr<mlir::FloatAttr> parseOptionalReal(mlir::AsmParser &parser);
/// Prints the shortest decimal that reads back to the same number.
void printReal(mlir::AsmPrinter &printer, mlir::FloatAttr value);
/// Prints an attribute, in lists and dictionaries too, whose 64-bit numbers
/// come without their types; the reader knows these without.
void printPlain(mlir::AsmPrinter &printer, mlir::Attribute attribute);
void printPlain(mlir::AsmPrinter &printer,
                llvm::ArrayRef<mlir::NamedAttribute> dictionary);
/// The same for a list; a dense array would print seven digits of each.
mlir::FailureOr<mlir::DenseF64ArrayAttr> parseRealList(mlir::AsmParser &parser);
void printRealList(mlir::AsmPrinter &printer, mlir::DenseF64ArrayAttr values);
mlir::FloatAttr getReal(mlir::MLIRContext *context, double value);

} // namespace parablock::block

#define GET_ATTRDEF_CLASSES
#include "parablock/Dialect/Block/BlockAttrs.h.inc"

#endif // PARABLOCK_IR_BLOCKATTRS_H
