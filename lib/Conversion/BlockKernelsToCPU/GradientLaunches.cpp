//===- GradientLaunches.cpp - adds launches of reductions over rows -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "GradientLaunches.h"

#include "ColumnSumsKernel.h"
#include "EmbeddingGradKernel.h"
#include "LaunchParts.h"
#include "PatchGradKernel.h"
#include "PlanSizes.h"
#include "WeightGradKernel.h"
#include "mlir/IR/TypeUtilities.h"
#include "parablock/Dialect/Block/RowInterface.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::cpugen;

bool cpugen::isGradientStep(Operation *op) {
  return isa<block::WeightGradOp, block::ColumnSumsOp, block::EmbeddingGradOp,
             block::PatchEmbeddingGradOp, block::CrossEntropyOp,
             block::CrossEntropyGradOp, block::SdpaGradOp>(op);
}

LogicalResult GradientLaunches::add(Operation *op) {
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](block::WeightGradOp grad) { return addWeightGrad(grad); })
      .Case([&](block::ColumnSumsOp sums) { return addColumnSums(sums); })
      .Case([&](block::EmbeddingGradOp grad) { return addEmbeddingGrad(grad); })
      .Case([&](block::SdpaGradOp grad) { return attention.add(grad); })
      .Case(
          [&](block::PatchEmbeddingGradOp grad) { return addPatchGrad(grad); })
      .Case<block::CrossEntropyOp, block::CrossEntropyGradOp>(
          [&](auto loss) { return losses.add(loss); });
}

//===----------------------------------------------------------------------===//
// Parts of launches
//===----------------------------------------------------------------------===//

LogicalResult GradientLaunches::addLaunch(Launch launch,
                                          const KernelCode &kernel,
                                          Value result, const Shape &like) {
  auto type = cast<RankedTensorType>(result.getType());
  Shape shape;
  for (auto [dim, size] : llvm::enumerate(type.getShape()))
    shape.push_back(ShapedType::isDynamic(size)
                        ? like[dim]
                        : makeSize(result.getContext(), size));
  plan.addLaunchOf(result, kernel.name, shape, std::move(launch));
  return success();
}

/// Fails, with an error, if `value` has elements that no kernel supports, or a
/// dynamic size that must be known.
static LogicalResult checkOperand(Operation *op, Value value) {
  Type element = getElementTypeOrSelf(value.getType());
  if (!element.isF32() && !element.isBF16() && !element.isF16())
    return op->emitError() << "no CPU code for '" << op->getName()
                           << "' of a tensor of type " << value.getType()
                           << ": expected f32, bf16 or f16";
  if (ShapedType::isDynamic(getRowWidth(value)))
    return op->emitError() << "no CPU code for '" << op->getName()
                           << "' of rows of an open width";
  return success();
}

static LogicalResult checkResult(Operation *op, Value value) {
  if (!cast<RankedTensorType>(value.getType()).hasStaticShape())
    return op->emitError() << "no CPU code for '" << op->getName()
                           << "' with a result of an open shape";
  return checkOperand(op, value);
}

/// The type as a part of a kernel's name.
static std::string getTypeName(Type type) {
  std::string name;
  llvm::raw_string_ostream(name) << getElementTypeOrSelf(type);
  return name;
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

/// Fails, with an error, where `values` do not have one type.
static FailureOr<SideBySide> placeSideBySide(Operation *op, ValueRange values) {
  SideBySide result;
  result.type = getElementTypeOrSelf(values.front().getType());
  for (Value value : values) {
    if (failed(checkOperand(op, value)))
      return failure();
    if (getElementTypeOrSelf(value.getType()) != result.type)
      return op->emitError()
             << "no CPU code for '" << op->getName() << "' of " << result.type
             << " beside " << getElementTypeOrSelf(value.getType());
    result.widths.push_back(getRowWidth(value));
  }
  return result;
}

LogicalResult GradientLaunches::addWeightGrad(block::WeightGradOp op) {
  FailureOr<SideBySide> gradients = placeSideBySide(op, op.getGradients());
  FailureOr<SideBySide> inputs = placeSideBySide(op, op.getInputs());
  if (failed(gradients) || failed(inputs) ||
      failed(checkResult(op, op.getResult())))
    return failure();
  auto tensors = source.getTensors(op, op.getOperands());
  if (failed(tensors))
    return failure();
  Type type = getElementTypeOrSelf(op.getType());
  std::string name = "weight_grad";
  for (const SideBySide &side : {*gradients, *inputs}) {
    name += "_" + getTypeName(side.type);
    for (int64_t width : side.widths)
      name += "_" + std::to_string(width);
  }
  KernelCode kernel =
      library.lookupOrBuild(name + "_" + getTypeName(type), [&](Frame &frame) {
        return buildWeightGradKernel(frame, *gradients, *inputs, type);
      });
  Shape rows = plan.getShape(tensors->front());
  Launch launch = plan.start(kernel);
  launch.inputs = *tensors;
  launch.dims = {rows[0], rows[1], makeSize(op.getContext(), 0)};
  launch.parts = partSums(plan, launch, type);
  return addLaunch(std::move(launch), kernel, op.getResult());
}

//===----------------------------------------------------------------------===//
// Sums of columns
//===----------------------------------------------------------------------===//

LogicalResult GradientLaunches::addColumnSums(block::ColumnSumsOp op) {
  SmallVector<Value> operands(op.getOperands());
  for (Value operand : operands)
    if (failed(checkOperand(op, operand)))
      return failure();
  if (failed(checkResult(op, op.getResult())))
    return failure();
  auto tensors = source.getTensors(op, operands);
  if (failed(tensors))
    return failure();
  auto getType = [](Value value) { return getElementTypeOrSelf(value); };
  ColumnSums sums;
  auto groups = static_cast<int64_t>(op.getGroups());
  sums.width = getRowWidth(op.getInput()) / groups;
  sums.input = getType(op.getInput());
  sums.result = getType(op.getResult());
  std::string name = "column_sums_" + std::to_string(sums.width) + "_" +
                     getTypeName(sums.input);
  if (op.getFactor()) {
    sums.factor = getType(op.getFactor());
    name += "_" + getTypeName(sums.factor);
    sums.isFactorOfRows = getRowWidth(op.getFactor()) == 1;
    // A row that is groups of the sum is a few rows of the kernel.
    if (sums.isFactorOfRows && groups > 1)
      return op.emitError("no CPU code for groups of columns with a factor of "
                          "one column");
    if (sums.isFactorOfRows)
      name += "_of_rows";
  }
  KernelCode kernel = library.lookupOrBuild(
      name + "_to_" + getTypeName(sums.result),
      [&](Frame &frame) { return buildColumnSumsKernel(frame, sums); });
  Shape shape = plan.getShape(tensors->front());
  shape.back() = makeSize(op.getContext(), groups);
  shape.resize(kNumRowSizes, makeSize(op.getContext(), 1));
  Launch launch = plan.start(kernel);
  launch.inputs = *tensors;
  launch.dims.assign(shape.begin(), shape.end());
  launch.dims.push_back(makeSize(op.getContext(), 0));
  launch.parts = partSums(plan, launch, sums.result);
  return addLaunch(std::move(launch), kernel, op.getResult());
}

//===----------------------------------------------------------------------===//
// Embeddings
//===----------------------------------------------------------------------===//

LogicalResult GradientLaunches::addEmbeddingGrad(block::EmbeddingGradOp op) {
  if (failed(checkOperand(op, op.getGradient())))
    return failure();
  OpFoldResult offset = makeSize(op.getContext(), 0);
  if (op.getOffset()) {
    FailureOr<OpFoldResult> size = findSize(plan, op.getOffset());
    if (failed(size))
      return op.emitError("no CPU code for an operand that is no size of an "
                          "argument");
    offset = *size;
  }
  for (auto [wrt, result] : llvm::zip_equal(
           op.getWrt().getAsValueRange<StringAttr>(), op.getGradients())) {
    if (failed(checkResult(op, result)))
      return failure();
    auto type = cast<RankedTensorType>(result.getType());
    TableGrad table;
    table.rows = type.getDimSize(0);
    table.width = type.getDimSize(1);
    table.gradient = getElementTypeOrSelf(op.getGradient().getType());
    table.result = type.getElementType();
    if (!table.result.isF32())
      return op.emitError()
             << "no CPU code for '" << op->getName()
             << "' with a result of type " << type << ": expected f32";
    Value ids = op.getIds();
    if (wrt == "table") {
      table.scale = op.getScale().convertToDouble();
    } else if (wrt == "type_table") {
      ids = op.getTypeIds();
    } else {
      table.isOfPositions = true;
      table.offset = static_cast<int64_t>(op.getPositionOffset());
      table.padId = op.getPadId();
      ids = table.padId ? ids : Value();
    }
    table.hasIds = static_cast<bool>(ids);
    SmallVector<Value> operands = {op.getGradient()};
    if (ids)
      operands.push_back(ids);
    auto tensors = source.getTensors(op, operands);
    if (failed(tensors))
      return failure();
    std::string name =
        llvm::formatv("{0}_grad_{1}_{2}x{3}_{4:x}_{5}_{6}_{7}", wrt,
                      getTypeName(table.gradient), table.rows, table.width,
                      llvm::bit_cast<uint64_t>(table.scale), table.offset,
                      table.padId.value_or(-1), ids ? "ids" : "none");
    KernelCode kernel = library.lookupOrBuild(
        name, [&](Frame &frame) { return buildTableGradKernel(frame, table); });
    Shape shape = plan.getShape(tensors->front());
    Launch launch = plan.start(kernel);
    launch.inputs = *tensors;
    launch.dims = {shape[0], shape[1], offset};
    if (failed(addLaunch(std::move(launch), kernel, result)))
      return failure();
  }
  return success();
}

LogicalResult GradientLaunches::addPatchGrad(block::PatchEmbeddingGradOp op) {
  for (Value operand : op->getOperands())
    if (failed(checkOperand(op, operand)))
      return failure();
  auto pixels = cast<RankedTensorType>(op.getPixels().getType());
  auto weight = cast<RankedTensorType>(op.getWeight().getType());
  PatchForm form = {
      pixels.getDimSize(1),    pixels.getDimSize(2),
      pixels.getDimSize(3),    weight.getDimSize(2),
      weight.getDimSize(3),    weight.getDimSize(0),
      op.getHasClass(),        getElementTypeOrSelf(op.getGradient().getType()),
      pixels.getElementType(), weight.getElementType()};
  int64_t firstPatch = form.hasClass ? 1 : 0;
  std::string sizes = llvm::formatv(
      "_{0}_{1}_{2}_{3}x{4}x{5}_{6}x{7}x{8}_{9}", getTypeName(form.gradient),
      getTypeName(form.pixels), getTypeName(form.weight), form.channels,
      form.imageRows, form.imageColumns, form.width, form.patchRows,
      form.patchColumns, firstPatch);
  for (auto [wrt, result] : llvm::zip_equal(
           op.getWrt().getAsValueRange<StringAttr>(), op.getGradients())) {
    Type type = getElementTypeOrSelf(result.getType());
    bool isOfPixels = wrt == "pixels";
    if (type != (isOfPixels ? form.pixels : Float32Type::get(op.getContext())))
      return op->emitError() << "no CPU code for '" << op->getName()
                             << "' with a result of type " << result.getType();
    SmallVector<Value> operands = {op.getGradient()};
    if (isOfPixels)
      operands.push_back(op.getWeight());
    else if (wrt == "weight")
      operands.push_back(op.getPixels());
    auto tensors = source.getTensors(op, operands);
    if (failed(tensors))
      return failure();
    auto build = [&, wrt = wrt, result = result](Frame &frame) {
      if (isOfPixels)
        return buildPatchPixelsKernel(frame, form);
      if (wrt == "weight")
        return buildPatchWeightKernel(frame, form);
      if (wrt == "position_table")
        return buildTokenSumsKernel(
            frame, form, 0,
            cast<RankedTensorType>(result.getType()).getDimSize(0), false);
      return wrt == "bias"
                 ? buildTokenSumsKernel(frame, form, firstPatch, 0, true)
                 : buildTokenSumsKernel(frame, form, 0, firstPatch, true);
    };
    KernelCode kernel =
        library.lookupOrBuild(("patch_" + wrt + "_grad" + sizes).str(), build);
    Shape shape = plan.getShape(tensors->front());
    Launch launch = plan.start(kernel);
    launch.inputs = *tensors;
    launch.dims = {shape[0], shape[1]};
    if (isOfPixels)
      launch.items.outer = {shape[0]};
    if (failed(addLaunch(std::move(launch), kernel, result, shape)))
      return failure();
  }
  return success();
}
