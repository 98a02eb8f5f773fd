//===- PlanOps.cpp - what a host does to run a function -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Dialect/Plan/PlanOps.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace parablock::plan;

#include "parablock/Dialect/Plan/PlanDialect.cpp.inc"
#include "parablock/Dialect/Plan/PlanEnums.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "parablock/Dialect/Plan/PlanTypes.cpp.inc"

#define GET_OP_CLASSES
#include "parablock/Dialect/Plan/PlanOps.cpp.inc"

void PlanDialect::initialize() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "parablock/Dialect/Plan/PlanTypes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "parablock/Dialect/Plan/PlanOps.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

static bool isSizeOrTensor(Operation &op) {
  return isa<SizeOp, ShareOp, TensorOp>(op);
}

/// Tells whether a caller's tensor has that size.
static bool isChosen(SizeOp size) {
  return llvm::any_of(size->getUsers(), [](Operation *user) {
    auto tensor = dyn_cast<TensorOp>(user);
    return tensor && (tensor.getKind() == TensorKind::Parameter ||
                      tensor.getKind() == TensorKind::Input);
  });
}

LogicalResult ProgramOp::verifyRegions() {
  Block &body = getBody().front();
  auto section = llvm::find_if_not(body, isSizeOrTensor); // [PLAN-1]
  if (section != body.end() && isa<PrepackOp>(*section))
    ++section;
  if (section == body.end() || !isa<RunOp>(*section) ||
      std::next(section) != body.end())
    return emitOpError("expects sizes, shares and tensors, then at most one "
                       "'plan.prepack', then one 'plan.run'");
  llvm::StringSet<> names;
  for (auto size : body.getOps<SizeOp>()) { // [PLAN-2]
    if (!names.insert(size.getLabel()).second)
      return size.emitOpError("expects a name of its own, got '")
             << size.getLabel() << "' again";
    if (!isChosen(size))
      return size.emitOpError("expects to be one of a parameter or an input");
  }
  return success();
}

PrepackOp ProgramOp::getPrepack() {
  auto sections = getBody().front().getOps<PrepackOp>();
  return sections.empty() ? PrepackOp() : *sections.begin();
}

RunOp ProgramOp::getRun() { return cast<RunOp>(getBody().front().back()); }

//===----------------------------------------------------------------------===//
// Sizes and tensors
//===----------------------------------------------------------------------===//

void SizeOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  setName(getResult(), getLabel());
}

LogicalResult ShareOp::verify() { // [PLAN-3]
  if (static_cast<int64_t>(getParts()) < 2 ||
      !getSize().getDefiningOp<SizeOp>())
    return emitOpError("expects at least two parts of a 'plan.size'");
  return success();
}

void TensorOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  std::string name = getLabel().str();
  llvm::replace(name, '#', '.');
  setName(getResult(), name);
}

SmallVector<OpFoldResult> TensorOp::getMixedSizes() {
  Builder builder(getContext());
  return getMixedValues(getStaticSizes(), getSizes(), builder);
}

static bool isElement(Type type) {
  if (type.isSignlessInteger())
    return llvm::is_contained({64u, 32u, 16u, 8u, 1u},
                              type.getIntOrFloatBitWidth());
  return type.isF64() || type.isF32() || type.isBF16() || type.isF16() ||
         type.isUnsignedInteger(8);
}

/// Checks that the numbers in `sizes` are such, and that `values` are the
/// others.
static LogicalResult verifySizes(Operation *op, StringRef what,
                                 ArrayRef<int64_t> sizes, ValueRange values) {
  unsigned open = llvm::count_if(sizes, ShapedType::isDynamic);
  if (open != values.size())
    return op->emitOpError("expects a value for each of ")
           << open << " open " << what << ", got " << values.size();
  for (int64_t size : sizes)
    if (!ShapedType::isDynamic(size) && size < 0)
      return op->emitOpError("expects ")
             << what << " that are not negative, got " << size;
  return success();
}

LogicalResult TensorOp::verify() {
  bool isCallers = getKind() != TensorKind::Packed && // [PLAN-4]
                   getKind() != TensorKind::Temporary;
  if (isCallers != getPosition().has_value())
    return emitOpError("expects a position for parameters, inputs and results, "
                       "and none for others");
  if (!isElement(getElementType())) // [PLAN-5]
    return emitOpError("expects elements of f64, f32, bf16, f16, i64, i32, "
                       "i16, i8, ui8 or i1, got ")
           << getElementType();
  if (failed(verifySizes(*this, "sizes", getStaticSizes(), // [PLAN-6]
                         getSizes())))
    return failure();
  if (getKind() == TensorKind::Packed && !getSizes().empty())
    return emitOpError("expects numbers for the sizes of what is packed");
  return success();
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

SmallVector<OpFoldResult> LaunchOp::getMixedDims() {
  Builder builder(getContext());
  return getMixedValues(getStaticDims(), getDims(), builder);
}

SmallVector<OpFoldResult> LaunchOp::getMixedOuter() {
  Builder builder(getContext());
  return getMixedValues(getStaticOuter(), getOuter(), builder);
}

SmallVector<OpFoldResult> LaunchOp::getMixedInner() {
  Builder builder(getContext());
  return getMixedValues(getStaticInner(), getInner(), builder);
}

LogicalResult LaunchOp::verifySymbolUses(SymbolTableCollection &symbols) {
  if (!symbols.lookupNearestSymbolFrom<FunctionOpInterface>(
          *this, getKernelAttr())) // [PLAN-7]
    return emitOpError("expects a function to launch, got ") << getKernelAttr();
  return success();
}

static TensorKind getKindOf(Value tensor) {
  return tensor.getDefiningOp<TensorOp>().getKind();
}

LogicalResult LaunchOp::verify() {
  auto factor = static_cast<int64_t>(getFactor()),
       block = static_cast<int64_t>(getBlock()),
       grain = static_cast<int64_t>(getGrain()),
       scratch = static_cast<int64_t>(getScratch());
  if (factor < 1 || block < 1 || grain < 1 || scratch < 0) // [PLAN-8]
    return emitOpError("expects a positive factor, block and grain, and "
                       "scratch that is not negative, got ")
           << factor << ", " << block << ", " << grain << " and " << scratch;
  if (failed(verifySizes(*this, "dims", getStaticDims(), getDims())) ||
      failed(verifySizes(*this, "items", getStaticOuter(), getOuter())) ||
      failed(verifySizes(*this, "items", getStaticInner(), getInner())))
    return failure();
  auto isOneOf = [](TensorKind first, TensorKind second) {
    return [=](Value tensor) {
      TensorKind kind = getKindOf(tensor);
      return kind == first || kind == second;
    };
  };
  if (isa<PrepackOp>((*this)->getParentOp())) { // [PLAN-9]
    if (!llvm::all_of(getInputs(),
                      isOneOf(TensorKind::Parameter, TensorKind::Packed)) ||
        !llvm::all_of(getOutputs(),
                      isOneOf(TensorKind::Packed, TensorKind::Packed)) ||
        !getDims().empty() || !getOuter().empty() || !getInner().empty())
      return emitOpError("expects to read parameters and packed tensors, to "
                         "write packed ones, and sizes that are numbers");
    return success();
  }
  if (!llvm::all_of(getOutputs(),
                    isOneOf(TensorKind::Temporary, TensorKind::Result)))
    return emitOpError("expects to write temporaries and results");
  return success();
}
