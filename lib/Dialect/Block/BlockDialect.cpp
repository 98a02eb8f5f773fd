//===- BlockDialect.cpp - registers ops and verifies attributes -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Dialect/Block/BlockDialect.h"

#include "BlockBytecode.h"
#include "RowModels.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Transforms/InliningUtils.h"
#include "parablock/Dialect/Block/BlockRankOps.h"
#include "parablock/Support/SuggestOp.h"

using namespace mlir;
using namespace parablock::block;

#include "parablock/Dialect/Block/BlockDialect.cpp.inc"

namespace {
/// Block ops are pure steps on tensors: they may be inlined anywhere.
struct BlockInlinerInterface : public DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;
  bool isLegalToInline(Operation *, Region *, bool, IRMapping &) const final {
    return true;
  }
  bool isLegalToInline(Region *, Region *, bool, IRMapping &) const final {
    return true;
  }
};
} // namespace

void BlockDialect::initialize() {
  registerAttributes();
  addOperations<
#define GET_OP_LIST
#include "parablock/Dialect/Block/BlockOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "parablock/Dialect/Block/BlockRankOps.cpp.inc"
      >();
  addInterfaces<BlockInlinerInterface>();
  attachStepInterfaces(getContext());
  addBytecodeInterface(this);
  // Row programs use the casts of arith.
  getContext()->loadDialect<arith::ArithDialect>();
  attachElementwiseRows(*getContext());
  attachNormRows(*getContext());
  attachCodeRows(*getContext());
  attachRotationRows(*getContext());
  attachEmbeddingRows(*getContext());
  attachGradientRows(*getContext());
}

std::optional<Dialect::ParseOpHook>
BlockDialect::getParseOperationHook(StringRef name) const {
  return parablock::suggestOp(getContext(), name);
}

//===----------------------------------------------------------------------===//
// Attributes of functions, their arguments and results
//===----------------------------------------------------------------------===//

/// [FUNC-1] names of inputs, parameters and outputs are strings that are not
/// empty.
static LogicalResult verifyName(Operation *op, NamedAttribute attribute) {
  auto text = dyn_cast<StringAttr>(attribute.getValue());
  if (text && !text.empty())
    return success();
  return op->emitError() << "expected " << attribute.getName()
                         << " to be a string that is not empty, got "
                         << attribute.getValue();
}

/// [FUNC-2] block.dims names the dynamic dimensions, one string each.
static LogicalResult verifyDims(Operation *op, NamedAttribute attribute,
                                Type type) {
  auto shaped = dyn_cast<ShapedType>(type);
  int64_t dynamic = shaped && shaped.hasRank() ? shaped.getNumDynamicDims() : 0;
  auto names = dyn_cast<ArrayAttr>(attribute.getValue());
  if (!names || !llvm::all_of(names, llvm::IsaPred<StringAttr>))
    return op->emitError()
           << "expected block.dims to be a list of strings, got "
           << attribute.getValue();
  if (static_cast<int64_t>(names.size()) != dynamic)
    return op->emitError() << "expected block.dims to name " << dynamic
                           << " dynamic dimensions of " << type << ", got "
                           << names.size();
  return success();
}

// [FUNC-5] block.loss names a result; [FUNC-4] no other attribute of the
// dialect, and none elsewhere.
LogicalResult BlockDialect::verifyOperationAttribute(Operation *op,
                                                     NamedAttribute attribute) {
  auto function = dyn_cast<FunctionOpInterface>(op);
  if (!function || attribute.getName() != kLossAttr)
    return op->emitError() << "attribute " << attribute.getName()
                           << " belongs on a function's argument or result";
  for (unsigned i = 0, e = function.getNumResults(); i < e; ++i)
    if (function.getResultAttr(i, kOutputAttr) == attribute.getValue())
      return success();
  return op->emitError() << "expected block.loss to name a result, got "
                         << attribute.getValue();
}

LogicalResult BlockDialect::verifyRegionArgAttribute(Operation *op,
                                                     unsigned /*region*/,
                                                     unsigned argument,
                                                     NamedAttribute attribute) {
  StringRef name = attribute.getName();
  if (name == kInputAttr || name == kParamAttr)
    return verifyName(op, attribute);
  if (name == kDimsAttr)
    return verifyDims(
        op, attribute,
        cast<FunctionOpInterface>(op).getArgumentTypes()[argument]);
  if (name == kInitAttr) {
    // [FUNC-3] block.init is a #block.init.
    if (isa<InitAttr>(attribute.getValue()))
      return success();
    return op->emitError() << "expected block.init to be a #block.init, got "
                           << attribute.getValue();
  }
  return op->emitError() << "unknown argument attribute "
                         << attribute.getName();
}

LogicalResult
BlockDialect::verifyRegionResultAttribute(Operation *op, unsigned, unsigned,
                                          NamedAttribute attribute) {
  StringRef name = attribute.getName();
  if (name == kOutputAttr || name == kGradAttr || name == kSavedAttr)
    return verifyName(op, attribute);
  return op->emitError() << "unknown result attribute " << attribute.getName();
}
