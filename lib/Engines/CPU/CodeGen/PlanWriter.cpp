//===- PlanWriter.cpp - writes the plan of a function ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "PlanWriter.h"

#include "parablock/Dialect/Block/BlockOps.h"
#include "parablock/Dialect/Block/ElementTypes.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::cpugen;

FailureOr<Type> cpugen::getStoredType(Operation *at, Type type) {
  if (std::optional<ElementType> element = getElementTypeOf(type))
    if (*element != ElementType::U8)
      return getElementTypeOrSelf(type);
  return at->emitError() << "no CPU code for tensors of type " << type
                         << ": expected f64, f32, bf16, f16, i64, i32, i16, "
                            "i8 or i1";
}

PlanWriter::PlanWriter(func::FuncOp function, ModuleOp kernels)
    : function(function), kernels(kernels), builder(function) {
  Location loc = function.getLoc();
  program = plan::ProgramOp::create(builder, loc, function.getSymName());
  builder.setInsertionPointToStart(&program.getBody().emplaceBlock());
  prepack = plan::PrepackOp::create(builder, loc);
  prepack.getBody().emplaceBlock();
  run = plan::RunOp::create(builder, loc);
  run.getBody().emplaceBlock();
  builder.setInsertionPoint(prepack);
}

plan::ProgramOp PlanWriter::finish() {
  if (prepack.getBody().front().empty())
    prepack.erase();
  return program;
}

SymbolRefAttr PlanWriter::getKernel(StringRef name, StringRef inner) {
  MLIRContext *context = builder.getContext();
  SmallVector<FlatSymbolRefAttr> path;
  if (!inner.empty())
    path.push_back(FlatSymbolRefAttr::get(context, inner));
  path.push_back(FlatSymbolRefAttr::get(context, name));
  return SymbolRefAttr::get(context, *kernels.getSymName(), path);
}

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

Extent PlanWriter::addSize(StringRef name) {
  auto [known, isNew] = symbolOf.try_emplace(name, symbols.size());
  Extent extent = Extent::symbolic(known->second);
  if (isNew) {
    symbols.push_back(plan::SizeOp::create(builder, function.getLoc(),
                                           builder.getIndexType(), name));
    extentOf[symbols.back()] = extent;
  }
  return extent;
}

Value PlanWriter::getValue(Extent symbolic) {
  plan::SizeOp symbol = symbols[symbolic.symbol];
  if (symbolic.value == 1)
    return symbol;
  Value &share = shares[{symbolic.symbol, symbolic.value}];
  if (!share) {
    share =
        plan::ShareOp::create(builder, function.getLoc(),
                              builder.getIndexType(), symbol, symbolic.value);
    extentOf[share] = symbolic;
  }
  return share;
}

DenseI64ArrayAttr PlanWriter::split(ArrayRef<Extent> extents,
                                    SmallVectorImpl<Value> &open) {
  SmallVector<int64_t> sizes;
  for (const Extent &extent : extents) {
    if (extent.symbol >= 0)
      open.push_back(getValue(extent));
    sizes.push_back(extent.symbol >= 0 ? ShapedType::kDynamic : extent.value);
  }
  return builder.getDenseI64ArrayAttr(sizes);
}

Shape PlanWriter::getShape(plan::TensorOp tensor) const {
  Shape shape;
  auto open = tensor.getSizes().begin();
  for (int64_t size : tensor.getStaticSizes())
    shape.push_back(ShapedType::isDynamic(size) ? extentOf.lookup(*open++)
                                                : Extent::fixed(size));
  return shape;
}

Extent PlanWriter::getExtent(Value value, unsigned dim) const {
  if (plan::TensorOp known = lookup(value))
    return getShape(known)[dim];
  return Extent::fixed(cast<RankedTensorType>(value.getType()).getDimSize(dim));
}

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

plan::TensorOp PlanWriter::addTensor(plan::TensorKind kind, const Twine &name,
                                     Type element, ArrayRef<Extent> shape,
                                     std::optional<int64_t> position) {
  SmallVector<Value> open;
  DenseI64ArrayAttr sizes = split(shape, open);
  auto tensor = plan::TensorOp::create(
      builder, function.getLoc(), plan::TensorType::get(builder.getContext()),
      plan::TensorKindAttr::get(builder.getContext(), kind),
      position ? builder.getI64IntegerAttr(*position) : IntegerAttr(),
      builder.getStringAttr(name), TypeAttr::get(element), open, sizes);
  tensors.push_back(tensor);
  return tensor;
}

LogicalResult PlanWriter::addArgument(BlockArgument argument) {
  unsigned number = argument.getArgNumber();
  auto type = dyn_cast<RankedTensorType>(argument.getType());
  if (!type)
    return function.emitError()
           << "no CPU code for argument " << number << " of type "
           << argument.getType() << ": expected a tensor";
  FailureOr<Type> element = getStoredType(function, type);
  if (failed(element))
    return failure();
  auto getName = [&](StringRef attribute) {
    return function.getArgAttrOfType<StringAttr>(number, attribute);
  };
  StringAttr parameter = getName(block::kParamAttr),
             input = getName(block::kInputAttr);
  std::string made = "argument " + std::to_string(number);
  auto dims = function.getArgAttrOfType<ArrayAttr>(number, block::kDimsAttr);
  Shape shape;
  unsigned next = 0;
  for (auto [dim, size] : llvm::enumerate(type.getShape())) {
    if (!ShapedType::isDynamic(size)) {
      shape.push_back(Extent::fixed(size));
      continue;
    }
    auto given = dims && next < dims.size() ? dyn_cast<StringAttr>(dims[next])
                                            : StringAttr();
    ++next;
    shape.push_back(
        addSize(given ? given.str() : made + " dim " + std::to_string(dim)));
  }
  assign(argument, addTensor(parameter ? plan::TensorKind::Parameter
                                       : plan::TensorKind::Input,
                             parameter ? parameter.getValue()
                             : input   ? input.getValue()
                                       : StringRef(made),
                             *element, shape, number));
  return success();
}

LogicalResult PlanWriter::addArguments() {
  for (BlockArgument argument : function.getArguments())
    if (failed(addArgument(argument)))
      return failure();
  return success();
}

void PlanWriter::makeResult(plan::TensorOp tensor, unsigned position) {
  tensor.setKind(plan::TensorKind::Result);
  tensor.setPosition(position);
  if (auto name = function.getResultAttrOfType<StringAttr>(position,
                                                           block::kOutputAttr))
    tensor.setLabel(name);
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

static SmallVector<Value> getValues(ArrayRef<plan::TensorOp> tensors) {
  return llvm::map_to_vector(
      tensors, [](plan::TensorOp tensor) -> Value { return tensor; });
}

void PlanWriter::addLaunch(const Launch &launch, bool isOnce) {
  SmallVector<Value> dims, outer, inner;
  DenseI64ArrayAttr staticDims = split(launch.dims, dims),
                    staticOuter = split(launch.items.outer, outer),
                    staticInner = split(launch.items.inner, inner);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToEnd(isOnce ? &prepack.getBody().front()
                                        : &run.getBody().front());
  plan::LaunchOp::create(builder, function.getLoc(), launch.kernel,
                         getValues(launch.inputs), getValues(launch.outputs),
                         dims, staticDims, launch.items.factor, outer,
                         staticOuter, inner, staticInner, launch.items.block,
                         launch.grain, launch.scratchBytes);
  if (!isOnce)
    ++numLaunches;
}
