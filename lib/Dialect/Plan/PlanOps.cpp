//===- PlanOps.cpp - verifiers and printers of plan ops -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Dialect/Plan/PlanOps.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "parablock/Dialect/Plan/StartedSteps.h"
#include "parablock/Support/SuggestOp.h"
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

std::optional<Dialect::ParseOpHook>
PlanDialect::getParseOperationHook(StringRef name) const {
  return parablock::suggestOp(getContext(), name);
}

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

static bool isSizeOrTensor(Operation &op) {
  return isa<SizeOp, ShareOp, affine::AffineApplyOp, TensorOp, ViewOp>(op);
}

/// Returns whether a caller's tensor has that size.
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
    return emitOpError("expects sizes, shares, 'affine.apply', tensors and "
                       "views, then at most one 'plan.prepack', then one "
                       "'plan.run'");
  llvm::StringSet<> names;
  for (auto size : body.getOps<SizeOp>()) { // [PLAN-2]
    if (!names.insert(size.getLabel()).second)
      return size.emitOpError("expects a name of its own, got '")
             << size.getLabel() << "' again";
    if (!isChosen(size))
      return size.emitOpError("expects to be one of a parameter or an input");
  }
  return verifyStartedSteps(getRun());
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
      getSize().getDefiningOp<ShareOp>())
    return emitOpError("expects at least two parts of what is no share itself");
  return success();
}

static void suggestName(Value tensor, StringRef label,
                        OpAsmSetValueNameFn setName) {
  std::string name = label.str();
  llvm::replace(name, '#', '.');
  setName(tensor, name);
}

void TensorOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  suggestName(getResult(), getLabel(), setName);
}

void ViewOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  suggestName(getResult(), getLabel(), setName);
}

TensorOp parablock::plan::getOwner(Value tensor) {
  if (auto view = tensor.getDefiningOp<ViewOp>())
    tensor = view.getSource();
  return tensor.getDefiningOp<TensorOp>();
}

SmallVector<OpFoldResult> parablock::plan::getMixedSizes(Value tensor) {
  if (auto view = tensor.getDefiningOp<ViewOp>())
    return view.getMixedSizes();
  return tensor.getDefiningOp<TensorOp>().getMixedSizes();
}

SmallVector<OpFoldResult> TensorOp::getMixedSizes() {
  Builder builder(getContext());
  return getMixedValues(getStaticSizes(), getSizes(), builder);
}

SmallVector<OpFoldResult> ViewOp::getMixedSizes() {
  Builder builder(getContext());
  return getMixedValues(getStaticSizes(), getSizes(), builder);
}

bool parablock::plan::isElement(Type type) {
  if (type.isSignlessInteger())
    return llvm::is_contained({64u, 32u, 16u, 8u, 1u},
                              type.getIntOrFloatBitWidth());
  return type.isF64() || type.isF32() || type.isBF16() || type.isF16() ||
         type.isUnsignedInteger(8);
}

/// Checks that the numbers in `sizes` are valid, and that `values` are the
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
  bool isCallers = getKind() == TensorKind::Parameter || // [PLAN-4]
                   getKind() == TensorKind::Input;
  if (isCallers != getPosition().has_value())
    return emitOpError("expects a position for parameters and inputs, and none "
                       "for others");
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

LogicalResult ViewOp::verify() {
  if (!getSource().getDefiningOp<TensorOp>()) // [PLAN-10]
    return emitOpError("expects a 'plan.tensor' to view");
  return verifySizes(*this, "sizes", getStaticSizes(), getSizes());
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
  if (getFew() && !symbols.lookupNearestSymbolFrom<FunctionOpInterface>(
                      *this, getFewAttr())) // [PLAN-17]
    return emitOpError("expects a function to launch, got ") << getFewAttr();
  return success();
}

/// Returns whether the conditions for replacing a launch's kernel are some, or
/// none.
static bool hasFewOrNone(LaunchOp op) {
  ArrayRef<int64_t> pairs = op.getFewSizes();
  bool isThere = !pairs.empty();
  bool fits = (isThere || !op.getFew()) &&
              isThere == op.getMost().has_value() && pairs.size() % 2 == 0 &&
              static_cast<int64_t>(op.getMost().value_or(1)) > 0;
  for (size_t i = 0; fits && i < pairs.size(); i += 2)
    fits = pairs[i] >= 0 &&
           pairs[i] < static_cast<int64_t>(op.getInputs().size()) &&
           pairs[i + 1] >= 0 &&
           pairs[i + 1] < static_cast<int64_t>(
                              getMixedSizes(op.getInputs()[pairs[i]]).size());
  return fits;
}

static LogicalResult verifyFew(LaunchOp op) { // [PLAN-17]
  if (hasFewOrNone(op))
    return success();
  InFlightDiagnostic error =
      op.emitOpError("expects pairs of an input's place and one of its "
                     "dimensions together with a positive number, and both "
                     "with another kernel, got [")
      << op.getFewSizes() << "] and ";
  if (op.getMost())
    return error << static_cast<int64_t>(*op.getMost());
  return error << "no number";
}

/// Returns the sizes whose product decides whether the launch is another one,
/// in an order that they alone define.
static SmallVector<OpFoldResult> getFewFactors(LaunchOp op) {
  SmallVector<OpFoldResult> factors;
  for (ArrayRef<int64_t> pairs = op.getFewSizes(); !pairs.empty();
       pairs = pairs.drop_front(2))
    factors.push_back(getMixedSizes(op.getInputs()[pairs[0]])[pairs[1]]);
  llvm::sort(factors, [](OpFoldResult a, OpFoldResult b) {
    return a.getOpaqueValue() < b.getOpaqueValue();
  });
  return factors;
}

/// Checks that what a launch for few rows leaves out is not missed: other
/// launches that take it are replaced or left out, too, whenever it is.
static LogicalResult verifyOmission(LaunchOp op) { // [PLAN-19]
  if (!op.getMost() || op.getFew())
    return success();
  if (op.getReports())
    return op.emitOpError("expects another kernel for few rows where it "
                          "reports, got none");
  auto isNeverMissed = [&](OpOperand &use) {
    auto user = dyn_cast<LaunchOp>(use.getOwner());
    return user && (!llvm::is_contained(user.getInputs(), use.get()) ||
                    (hasFewOrNone(user) && user.getMost() &&
                     *user.getMost() >= *op.getMost() &&
                     getFewFactors(user) == getFewFactors(op)));
  };
  for (Value output : op.getOutputs()) {
    TensorOp owner = getOwner(output);
    if (!owner || owner.getKind() != TensorKind::Temporary)
      continue;
    SmallVector<Value> values{owner};
    for (Operation *user : owner->getUsers())
      if (auto view = dyn_cast<ViewOp>(user))
        values.push_back(view);
    for (Value value : values)
      for (OpOperand &use : value.getUses())
        if (!isa<ViewOp>(use.getOwner()) && !isNeverMissed(use))
          return op.emitOpError("expects only launches that are replaced or "
                                "left out whenever it is left out to read "
                                "what it writes, got ")
                 << use.getOwner()->getName();
  }
  return success();
}

/// Returns whether all of `tensors` are of those kinds, and not views unless
/// allowed.
static bool areOf(ValueRange tensors, ArrayRef<TensorKind> kinds,
                  bool mayBeViews = false) {
  return llvm::all_of(tensors, [&](Value tensor) {
    TensorOp owner = getOwner(tensor);
    return owner && llvm::is_contained(kinds, owner.getKind()) &&
           (mayBeViews || owner.getOperation() == tensor.getDefiningOp());
  });
}

/// Returns whether `tensors` are temporaries followed by workspaces.
static bool areWritten(ValueRange tensors) {
  size_t written = llvm::count_if(tensors, [](Value tensor) {
    return areOf(tensor, TensorKind::Temporary);
  });
  return areOf(tensors.take_front(written), TensorKind::Temporary) &&
         areOf(tensors.drop_front(written), TensorKind::Workspace);
}

/// Checks the attributes of a launch for rows that exist in part.
static LogicalResult verifyRows(LaunchOp op) {
  ArrayRef<int64_t> rows = op.getRows(), pairs = op.getInPlace();
  auto inputs = static_cast<int64_t>(op.getInputs().size());
  int64_t tensors = inputs + static_cast<int64_t>(op.getOutputs().size());
  bool areInOrder =
      llvm::adjacent_find(rows, std::greater_equal<>()) == rows.end();
  if (rows.empty() ? op.getSequences() || !pairs.empty()
                   : !areInOrder || rows.front() < 0 || // [PLAN-15]
                         rows.back() >= tensors || op.getMixedDims().size() < 2)
    return op.emitOpError("expects rows to be places of tensors, in order, of "
                          "a launch with two sizes, and to be there for "
                          "sequences and what is in place");
  for (size_t i = 0; i < pairs.size(); i += 2) // [PLAN-16]
    if (pairs.size() % 2 || pairs[i] < inputs || pairs[i + 1] >= inputs ||
        !llvm::is_contained(rows, pairs[i]) ||
        !llvm::is_contained(rows, pairs[i + 1]))
      return op.emitOpError("expects to write outputs in place of inputs, in "
                            "pairs, both with rows");
  return success();
}

/// Checks the output of a launch that reports.
static LogicalResult verifyReport(LaunchOp op) { // [PLAN-18]
  if (!op.getReports())
    return success();
  TensorOp last =
      op.getOutputs().empty() ? TensorOp() : getOwner(op.getOutputs().back());
  if (isa<RunOp>(op->getParentOp()) && last &&
      last.getElementType().isInteger(64) &&
      last.getStaticSizes() == ArrayRef<int64_t>{5})
    return success();
  return op.emitOpError("expects to report, as its last output, 5 elements of "
                        "i64, in a run");
}

/// Checks where a launch may be started and awaited.
static LogicalResult verifyStart(LaunchOp op) { // [PLAN-20]
  if ((!op.getStarts() && !op.getAwaits()) ||
      (isa<RunOp>(op->getParentOp()) && !op.getMost()))
    return success();
  return op.emitOpError("expects to start and to await one kernel, in a run");
}

LogicalResult LaunchOp::verify() {
  auto factor = static_cast<int64_t>(getFactor().value_or(1)),
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
  if (!getFactor() && (!getStaticDims().empty() || !getStaticOuter().empty() ||
                       !getStaticInner().empty()))
    return emitOpError("expects no sizes without items");
  if (failed(verifyRows(*this)) || failed(verifyFew(*this)) ||
      failed(verifyReport(*this)) || failed(verifyOmission(*this)) ||
      failed(verifyStart(*this)))
    return failure();
  if (isa<PrepackOp>((*this)->getParentOp())) { // [PLAN-9]
    if (!areOf(getInputs(), {TensorKind::Parameter, TensorKind::Packed}) ||
        !areOf(getOutputs(), TensorKind::Packed) || !getDims().empty() ||
        !getOuter().empty() || !getInner().empty())
      return emitOpError("expects to read parameters and packed tensors, to "
                         "write packed ones, and sizes that are numbers");
    return success();
  }
  if (!areWritten(getOutputs()))
    return emitOpError("expects to write temporaries, then workspaces");
  return success();
}

//===----------------------------------------------------------------------===//
// Ranks and results
//===----------------------------------------------------------------------===//

bool parablock::plan::mayStart(ExchangeStep step) {
  return step < ExchangeStep::RowsToExperts;
}

/// Returns whether two sizes may be equal. Open sizes may be any number.
static bool mayBeEqual(OpFoldResult a, OpFoldResult b) {
  std::optional<int64_t> first = getConstantIntValue(a),
                         second = getConstantIntValue(b);
  return !first || !second || *first == *second;
}

/// Checks the shapes of an exchange of rows.
static LogicalResult verifyRowShapes(ExchangeOp op) { // [PLAN-12]
  bool isBack = op.getStep() == ExchangeStep::RowsFromExperts;
  SmallVector<OpFoldResult> input = getMixedSizes(op.getInputs()[0]),
                            choices = getMixedSizes(op.getInputs()[1]),
                            output = getMixedSizes(op.getOutputs()[0]);
  ArrayRef<OpFoldResult> all = isBack ? input : output,
                         own = isBack ? output : input;
  bool fits = op.getDim() == 1 && input.size() == 3 && output.size() == 3 &&
              mayBeEqual(all[0], own[0]) && mayBeEqual(all[0], choices[0]) &&
              mayBeEqual(all[1], choices[1]);
  // Rows, and columns of rows that return, are of as many ranks.
  auto divide = [&](ArrayRef<OpFoldResult> whole, ArrayRef<OpFoldResult> part,
                    unsigned dim) -> std::optional<int64_t> {
    std::optional<int64_t> size = getConstantIntValue(whole[dim]),
                           share = getConstantIntValue(part[dim]);
    if (!size || !share)
      return std::nullopt;
    fits &= *share > 0 && *size % *share == 0;
    return fits ? *size / *share : 0;
  };
  if (fits) {
    std::optional<int64_t> byRows = divide(all, own, 1),
                           byColumns = divide(own, all, 2);
    fits &= isBack ? !byRows || !byColumns || *byRows == *byColumns
                   : mayBeEqual(own[2], all[2]);
  }
  if (isBack) {
    SmallVector<OpFoldResult> room = getMixedSizes(op.getOutputs()[1]);
    fits &= room.size() == input.size() &&
            llvm::all_of_zip(room, input, mayBeEqual);
  }
  if (fits)
    return success();
  return op.emitOpError("expects dimension 1, and tensors of 3 dimensions that "
                        "fit an exchange of rows");
}

LogicalResult ExchangeOp::verify() {
  ExchangeStep step = getStep();
  bool isPut = step == ExchangeStep::Put;
  bool isOfRows = step == ExchangeStep::RowsToExperts ||
                  step == ExchangeStep::RowsFromExperts;
  bool mayMove = step == ExchangeStep::AllGather ||
                 step == ExchangeStep::ReduceScatter ||
                 step == ExchangeStep::RowsFromExperts;
  auto isOneOrTwo = [](ValueRange tensors, bool mayBeTwo) {
    return tensors.size() == 1 || (mayBeTwo && tensors.size() == 2);
  };
  if (!isOneOrTwo(getInputs(), isPut || isOfRows) ||
      (isOfRows && getInputs().size() != 2) ||
      (step == ExchangeStep::RowsFromExperts && getOutputs().size() != 2) ||
      !isOneOrTwo(getOutputs(), mayMove)) // [PLAN-11]
    return emitOpError("expects one tensor that is read, or two by put and by "
                       "exchanges of rows, and one that is written, or two by "
                       "all_gather, reduce_scatter and rows_from_experts, got ")
           << getInputs().size() << " and " << getOutputs().size();
  TensorOp first = getOwner(getInputs().front()); // [PLAN-12]
  auto fits = [&](Value tensor) {
    TensorOp owner = getOwner(tensor);
    return owner && owner.getElementType() == first.getElementType() &&
           getDim() < getMixedSizes(tensor).size();
  };
  ValueRange inputs = getInputs();
  if (isOfRows) {
    TensorOp choices = getOwner(inputs[1]);
    if (!choices || !choices.getElementType().isInteger(64) ||
        getMixedSizes(inputs[1]).size() != 3)
      return emitOpError("expects choices of i64 with 3 dimensions");
    inputs = inputs.drop_back();
  }
  if (!first || !llvm::all_of(inputs, fits) ||
      !llvm::all_of(getOutputs(), fits) ||
      !areOf(getOutputs(), TensorKind::Temporary))
    return emitOpError("expects tensors of one type of element with dimension ")
           << getDim() << ", and to write temporaries";
  bool hasPart = step == ExchangeStep::Take || isPut;
  std::optional<uint64_t> offset = getOffset();
  if (offset && (!hasPart || static_cast<int64_t>(*offset) < 0)) // [PLAN-13]
    return emitOpError("expects a place that is not negative, for take and put "
                       "alone");
  if (isOfRows ? static_cast<int64_t>(getExperts().value_or(0)) < 1
               : getExperts().has_value())
    return emitOpError("expects a positive number of experts, for exchanges of "
                       "rows alone");
  if ((getStarts() || getAwaits()) &&
      (!mayStart(step) || (getStarts() && getAwaits()))) // [PLAN-20]
    return emitOpError("expects to start or to await a sum or all_gather");
  return isOfRows ? verifyRowShapes(*this) : success();
}

void ReturnOp::build(OpBuilder &, OperationState &) {}

LogicalResult ReturnOp::verify() { // [PLAN-14]
  if (areOf(getResults(),
            {TensorKind::Parameter, TensorKind::Input, TensorKind::Packed,
             TensorKind::Temporary},
            /*mayBeViews=*/true))
    return success();
  return emitOpError("expects tensors that are no workspaces");
}
