//===- TileOps.h - the tile dialect -----------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_TILE_TILEOPS_H
#define PARABLOCK_TILE_TILEOPS_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "parablock/Dialect/Tile/TileDialect.h.inc"
#include "parablock/Dialect/Tile/TileEnums.h.inc"

namespace parablock::tile {
/// Elements between brackets, in the assembly of an attribute.
template <typename ElementT>
mlir::FailureOr<llvm::SmallVector<ElementT>>
parseList(mlir::AsmParser &parser) {
  llvm::SmallVector<ElementT> elements;
  auto parseElement = [&]() -> mlir::ParseResult {
    mlir::FailureOr<ElementT> element =
        mlir::FieldParser<ElementT>::parse(parser);
    if (failed(element))
      return mlir::failure();
    elements.push_back(*element);
    return mlir::success();
  };
  if (parser.parseCommaSeparatedList(mlir::AsmParser::Delimiter::Square,
                                     parseElement))
    return mlir::failure();
  return elements;
}

template <typename ElementT>
void printList(mlir::AsmPrinter &printer, llvm::ArrayRef<ElementT> elements) {
  printer << '[';
  printer.printStrippedAttrOrType(elements);
  printer << ']';
}
} // namespace parablock::tile

#define GET_ATTRDEF_CLASSES
#include "parablock/Dialect/Tile/TileAttrs.h.inc"

#define GET_TYPEDEF_CLASSES
#include "parablock/Dialect/Tile/TileTypes.h.inc"

namespace parablock::tile {
/// Returns the number of indices of an access to `type`: one for a vector or a
/// single element, else two. Tensors may also be indexed linearly with one.
unsigned getNumIndices(mlir::Type type);

/// Checks that `part` is present if there are several parts, and that their
/// number divides `rows`.
mlir::LogicalResult verifyParts(mlir::Operation *op, mlir::Value part,
                                int64_t parts, int64_t rows);
} // namespace parablock::tile

#define GET_OP_CLASSES
#include "parablock/Dialect/Tile/TileOps.h.inc"

#endif // PARABLOCK_TILE_TILEOPS_H
