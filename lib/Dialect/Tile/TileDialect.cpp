//===- TileDialect.cpp - registers types and verifies attributes ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "parablock/Dialect/Tile/TileOps.h"
#include "parablock/Support/SuggestOp.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace parablock::tile;

#include "parablock/Dialect/Tile/TileDialect.cpp.inc"
#include "parablock/Dialect/Tile/TileEnums.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "parablock/Dialect/Tile/TileAttrs.cpp.inc"

void TileDialect::initialize() {
  registerTypes();
  registerAttributes();
  addOperations<
#define GET_OP_LIST
#include "parablock/Dialect/Tile/TileOps.cpp.inc"
      >();
}

std::optional<Dialect::ParseOpHook>
TileDialect::getParseOperationHook(StringRef name) const {
  return parablock::suggestOp(getContext(), name);
}

void TileDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "parablock/Dialect/Tile/TileAttrs.cpp.inc"
      >();
}

LogicalResult ScheduleAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                   MultiplyUnit multiply, CopyUnit copies,
                                   int64_t warps, int64_t producers,
                                   int64_t stages, int64_t grid,
                                   int64_t cluster, bool, bool joins) {
  if (warps < 1 || grid < 1 || stages < 1) // [SCHEDULE-1]
    return emitError() << "expected at least one warp, one CTA and one stage, "
                          "got "
                       << warps << ", " << grid << " and " << stages;
  if (multiply == MultiplyUnit::Wgmma && // [SCHEDULE-2]
      (warps % 4 != 0 || copies != CopyUnit::Tma))
    return emitError() << "wgmma expects warps in fours and copies by tma, got "
                       << warps << " warps and copies by "
                       << stringifyCopyUnit(copies);
  bool hasTma = copies == CopyUnit::Tma; // [SCHEDULE-3]
  if (hasTma ? producers != 1 && producers != 4 : producers != 0)
    return emitError() << "copies by " << stringifyCopyUnit(copies)
                       << " expect " << (hasTma ? "1 or 4" : "0")
                       << " producer warps, got " << producers;
  // [SCHEDULE-4]
  constexpr int64_t mostJoining = 8;
  bool isCluster = joins ? cluster >= 2 && cluster <= mostJoining
                         : cluster == 1 || (hasTma && cluster == 2);
  if (!isCluster || grid % cluster != 0)
    return emitError()
           << "expected a cluster of one CTA, or of two with copies "
              "by tma, or of two to eight that joins, and a grid of whole "
              "clusters, got "
           << cluster << " of " << grid << " CTAs and copies by "
           << stringifyCopyUnit(copies);
  return success();
}

LogicalResult ArgumentAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                   ArgumentKind kind, int64_t operand,
                                   int64_t dim, DenseI64ArrayAttr box,
                                   bool constant) {
  if (operand < 0 || dim < 0) // [ARGUMENT-1]
    return emitError() << "expected no negative operand or dimension, got "
                       << operand << " and " << dim;
  if (constant && kind == ArgumentKind::Dim) // [ARGUMENT-2]
    return emitError() << "expected a tensor to be constant, got a dim";
  bool isBox = box && (box.size() == 2 || box.size() == 3) &&
               llvm::all_of(box.asArrayRef(), [](int64_t s) { return s > 0; });
  bool fits = kind == ArgumentKind::TensorMap ? isBox : !box;
  if (fits)
    return success();
  return emitError() << "expected a box of two or three positive sizes for a "
                        "tensor map alone, got "
                     << stringifyArgumentKind(kind) << " and "
                     << (box ? box.asArrayRef() : ArrayRef<int64_t>());
}

LogicalResult LaunchAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                 ArrayRef<ArgumentAttr>, ScheduleAttr,
                                 int64_t sharedBytes, ArrayRef<MemRefType>,
                                 bool, ReportsAttr) { // [LAUNCHED-1]
  if (sharedBytes < 0)
    return emitError() << "expected no negative number of shared bytes, got "
                       << sharedBytes;
  return success();
}

LogicalResult ReportsAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                  Checked checked, int64_t experts,
                                  int64_t slots) { // [REPORTS-1]
  bool isOfIndices = checked == Checked::Indices;
  if (isOfIndices ? experts > 0 && slots > 0 : experts == 0 && slots == 0)
    return success();
  return emitError() << "expected positive numbers of experts and slots for "
                        "indices alone, got "
                     << stringifyChecked(checked) << ", " << experts << " and "
                     << slots;
}

LogicalResult TileDialect::verifyOperationAttribute(Operation *op,
                                                    NamedAttribute attribute) {
  if (attribute.getName() != LaunchAttr::getAttrName())
    return op->emitError() << "expected no attribute " << attribute.getName()
                           << " of the tile dialect but '"
                           << LaunchAttr::getAttrName() << "'";
  auto launch = dyn_cast<LaunchAttr>(attribute.getValue());
  auto function = dyn_cast<FunctionOpInterface>(op);
  if (!launch || !function ||
      function.getNumArguments() !=
          launch.getArguments().size()) // [LAUNCHED-2]
    return op->emitError() << "expected '" << LaunchAttr::getAttrName()
                           << "' to be a #tile.launch on a function, with an "
                              "argument for each of its parameters";
  return success();
}
