//===- TileTypes.cpp - parsers and printers of tile types -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "parablock/Dialect/Tile/TileOps.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace parablock::tile;

#define GET_TYPEDEF_CLASSES
#include "parablock/Dialect/Tile/TileTypes.cpp.inc"

void TileDialect::registerTypes() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "parablock/Dialect/Tile/TileTypes.cpp.inc"
      >();
}

/// Both sizes of a tile; `withType` where an element type follows.
static FailureOr<std::pair<int64_t, int64_t>> parseSizes(AsmParser &parser,
                                                         bool withType) {
  SMLoc loc = parser.getCurrentLocation();
  SmallVector<int64_t> sizes;
  if (parser.parseDimensionList(sizes, /*allowDynamic=*/false, withType))
    return failure();
  if (sizes.size() != 2)
    return parser.emitError(loc, "expected 2 sizes, got ") << sizes.size();
  return std::pair(sizes[0], sizes[1]);
}

Type BufferType::parse(AsmParser &parser) {
  if (parser.parseLess())
    return {};
  auto sizes = parseSizes(parser, /*withType=*/true);
  Type elementType;
  if (failed(sizes) || parser.parseType(elementType))
    return {};
  BufferLayout layout = BufferLayout::Rows;
  if (succeeded(parser.parseOptionalComma())) {
    StringRef keyword;
    SMLoc loc = parser.getCurrentLocation();
    if (parser.parseKeyword(&keyword))
      return {};
    std::optional<BufferLayout> known = symbolizeBufferLayout(keyword);
    if (!known) {
      parser.emitError(loc, "expected rows, padded or swizzled, got ")
          << keyword;
      return {};
    }
    layout = *known;
  }
  if (parser.parseGreater())
    return {};
  return parser.getChecked<BufferType>(parser.getContext(), sizes->first,
                                       sizes->second, elementType, layout);
}

void BufferType::print(AsmPrinter &printer) const {
  printer << '<' << getRows() << 'x' << getColumns() << 'x' << getElementType();
  if (getLayout() != BufferLayout::Rows)
    printer << ", " << stringifyBufferLayout(getLayout());
  printer << '>';
}

LogicalResult BufferType::verify(function_ref<InFlightDiagnostic()> emitError,
                                 int64_t rows, int64_t columns,
                                 Type elementType, BufferLayout layout) {
  if (rows < 1 || columns < 1) // [BUFFER-1]
    return emitError() << "expected positive sizes, got " << rows << "x"
                       << columns;
  if (!elementType.isF32() && !elementType.isBF16() && // [BUFFER-2]
      !elementType.isF16() && !elementType.isSignlessInteger(8))
    return emitError() << "expected f32, bf16, f16 or i8, got " << elementType;
  int64_t rowBytes = columns * elementType.getIntOrFloatBitWidth() / 8;
  if (layout == BufferLayout::Swizzled && // [BUFFER-3]
      (rowBytes % 128 != 0 || rows % 8 != 0))
    return emitError()
           << "a swizzled buffer expects rows of whole panels of 128 "
              "bytes in groups of 8, got "
           << rows << " rows of " << rowBytes << " bytes";
  return success();
}

Type AccumulatorType::parse(AsmParser &parser) {
  if (parser.parseLess())
    return {};
  auto sizes = parseSizes(parser, /*withType=*/false);
  if (failed(sizes) || parser.parseGreater())
    return {};
  return parser.getChecked<AccumulatorType>(parser.getContext(), sizes->first,
                                            sizes->second);
}

void AccumulatorType::print(AsmPrinter &printer) const {
  printer << '<' << getRows() << 'x' << getColumns() << '>';
}

LogicalResult
AccumulatorType::verify(function_ref<InFlightDiagnostic()> emitError,
                        int64_t rows, int64_t columns) {
  if (rows < 1 || columns < 1) // [ACCUMULATOR-1]
    return emitError() << "expected positive sizes, got " << rows << "x"
                       << columns;
  return success();
}

LogicalResult
RowValuesType::verify(function_ref<InFlightDiagnostic()> emitError,
                      int64_t rows, int64_t columns) {
  if (rows < 1) // [ROWVALUES-1]
    return emitError() << "expected a positive number of rows, got " << rows;
  if (columns < 1)
    return emitError() << "expected rows of a positive width, got " << columns;
  return success();
}
