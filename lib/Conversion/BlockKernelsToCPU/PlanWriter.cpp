//===- PlanWriter.cpp - writes tensors, sizes and launches ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "PlanWriter.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "parablock/Conversion/CPUCode/Frame.h"
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

OpFoldResult cpugen::makeSize(MLIRContext *context, int64_t number) {
  return Builder(context).getIndexAttr(number);
}

PlanWriter::PlanWriter(func::FuncOp function, ModuleOp kernels)
    : PlanBuilder(function, function.getSymName()), function(function),
      kernels(kernels) {}

SymbolRefAttr PlanWriter::getKernel(StringRef name, StringRef inner) {
  MLIRContext *context = builder.getContext();
  SmallVector<FlatSymbolRefAttr> path;
  if (!inner.empty())
    path.push_back(FlatSymbolRefAttr::get(context, inner));
  path.push_back(FlatSymbolRefAttr::get(context, name));
  return SymbolRefAttr::get(context, *kernels.getSymName(), path);
}

OpFoldResult PlanWriter::getExtent(Value value, unsigned dim) const {
  if (plan::TensorOp known = lookup(value))
    return known.getMixedSizes()[dim];
  return makeSize(value.getContext(),
                  cast<RankedTensorType>(value.getType()).getDimSize(dim));
}

//===----------------------------------------------------------------------===//
// Arguments and results
//===----------------------------------------------------------------------===//

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
      shape.push_back(makeSize(function.getContext(), size));
      continue;
    }
    auto given = dims && next < dims.size() ? dyn_cast<StringAttr>(dims[next])
                                            : StringAttr();
    ++next;
    shape.push_back(
        addSize(given ? given.str() : made + " dim " + std::to_string(dim)));
  }
  plan::TensorOp tensor = addTensor(parameter ? plan::TensorKind::Parameter
                                              : plan::TensorKind::Input,
                                    parameter ? parameter.getValue()
                                    : input   ? input.getValue()
                                              : StringRef(made),
                                    *element, shape, number);
  if (!first)
    first = tensor;
  assign(argument, tensor);
  return success();
}

LogicalResult PlanWriter::addArguments() {
  for (BlockArgument argument : function.getArguments())
    if (failed(addArgument(argument)))
      return failure();
  return success();
}

void PlanWriter::addResult(plan::TensorOp tensor) {
  if (auto name = function.getResultAttrOfType<StringAttr>(results.size(),
                                                           block::kOutputAttr))
    tensor.setLabel(name);
  results.push_back(tensor);
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

static SmallVector<Value> getValues(ArrayRef<plan::TensorOp> tensors) {
  return llvm::map_to_vector(
      tensors, [](plan::TensorOp tensor) -> Value { return tensor; });
}

Launch PlanWriter::start(const KernelCode &kernel) {
  Launch launch;
  launch.kernel = getKernel(kernel.name);
  launch.scratchBytes = kernel.scratchBytes;
  launch.items.factor = kernel.factor;
  return launch;
}

plan::TensorOp PlanWriter::addTemporary(const Twine &name, Type element,
                                        const Shape &shape) {
  return addTensor(plan::TensorKind::Temporary, name + "#" + Twine(numLaunches),
                   element, shape);
}

void PlanWriter::addLaunchOf(Value made, const Twine &name, const Shape &shape,
                             Launch launch) {
  launch.outputs = {
      addTemporary(name, getElementTypeOrSelf(made.getType()), shape)};
  assign(made, launch.outputs.front());
  addLaunch(launch);
}

static bool isEmpty(plan::TensorOp tensor) {
  return llvm::any_of(tensor.getMixedSizes(), isZeroInteger);
}

void PlanWriter::addLaunch(const Launch &launch, bool isOnce) {
  // The gradient of a weight with no rows, for one.
  if (llvm::all_of(launch.outputs, isEmpty))
    return;
  ImplicitLocOpBuilder end = isOnce ? atEndOfPrepack() : atEndOfRun();
  auto [staticDims, dims] = decomposeMixedValues(launch.dims);
  auto [staticOuter, outer] = decomposeMixedValues(launch.items.outer);
  auto [staticInner, inner] = decomposeMixedValues(launch.items.inner);
  plan::LaunchOp::create(
      end, launch.kernel, getValues(launch.inputs), getValues(launch.outputs),
      dims, staticDims, end.getI64IntegerAttr(launch.items.factor), outer,
      staticOuter, inner, staticInner, launch.items.block, launch.grain,
      launch.scratchBytes, isOnce ? IntegerAttr() : layer, launch.parts.rows,
      launch.parts.bySequence, launch.parts.inPlace,
      /*few=*/SymbolRefAttr(), /*few_sizes=*/ArrayRef<int64_t>(),
      /*most=*/IntegerAttr(), launch.reports, launch.starts, launch.awaits);
  if (!isOnce)
    ++numLaunches;
}
