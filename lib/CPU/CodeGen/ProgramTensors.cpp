//===- ProgramTensors.cpp - the tensors of a CPU program and their sizes --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "ProgramBuilder.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "parablock/IR/ElementTypes.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::cpugen;

FailureOr<ElementType> ProgramBuilder::getElementType(Operation *at,
                                                      Type type) {
  if (std::optional<ElementType> element = getElementTypeOf(type))
    if (*element != ElementType::U8)
      return *element;
  return at->emitError() << "no CPU code for tensors of type " << type
                         << ": expected f64, f32, bf16, f16, i64, i32, i16, "
                            "i8 or i1";
}

unsigned ProgramBuilder::addTensor(CpuTensor tensor, Value value) {
  program.tensors.push_back(std::move(tensor));
  return tensorOf[value] = program.tensors.size() - 1;
}

LogicalResult ProgramBuilder::addArguments() {
  for (BlockArgument argument : function.getArguments()) {
    unsigned number = argument.getArgNumber();
    auto type = dyn_cast<RankedTensorType>(argument.getType());
    if (!type)
      return function.emitError()
             << "no CPU code for argument " << number << " of type "
             << argument.getType() << ": expected a tensor";
    FailureOr<ElementType> elementType = getElementType(function, type);
    if (failed(elementType))
      return failure();
    auto parameter =
        function.getArgAttrOfType<StringAttr>(number, block::kParamAttr);
    auto input =
        function.getArgAttrOfType<StringAttr>(number, block::kInputAttr);
    CpuTensor tensor;
    tensor.kind = parameter ? CpuTensor::Parameter : CpuTensor::Input;
    tensor.name = parameter ? parameter.str()
                  : input   ? input.str()
                            : "argument " + std::to_string(number);
    tensor.type = *elementType;
    tensor.position = number;
    auto dims = function.getArgAttrOfType<ArrayAttr>(number, block::kDimsAttr);
    unsigned index = program.tensors.size(), next = 0;
    for (auto [dim, size] : llvm::enumerate(type.getShape())) {
      if (!ShapedType::isDynamic(size)) {
        tensor.shape.push_back(Extent::fixed(size));
        continue;
      }
      std::string name =
          "argument " + std::to_string(number) + " dim " + std::to_string(dim);
      if (dims && next < dims.size())
        if (auto given = dyn_cast<StringAttr>(dims[next]))
          name = given.str();
      ++next;
      auto [symbol, isNew] =
          symbolOf.try_emplace(name, static_cast<int>(program.symbols.size()));
      if (isNew)
        program.symbols.push_back({name, {}});
      program.symbols[symbol->second].places.push_back(
          {index, static_cast<unsigned>(dim)});
      tensor.shape.push_back(Extent::symbolic(symbol->second));
    }
    addTensor(std::move(tensor), argument);
  }
  return success();
}

Extent ProgramBuilder::getExtent(Value value, unsigned dim) {
  auto known = tensorOf.find(value);
  if (known != tensorOf.end())
    return program.tensors[known->second].shape[dim];
  return Extent::fixed(cast<RankedTensorType>(value.getType()).getDimSize(dim));
}

/// Of what a kernel computes: every step has the batch and sequence of its
/// first operand with rows.
Shape ProgramBuilder::inferShape(Value value,
                                 const llvm::DenseMap<Value, Shape> &known) {
  if (auto argument = known.find(value); argument != known.end())
    return argument->second;
  Shape source;
  for (Value operand : value.getDefiningOp()->getOperands()) {
    auto type = dyn_cast<RankedTensorType>(operand.getType());
    if (type && type.getRank() >= 2) {
      source = inferShape(operand, known);
      break;
    }
  }
  Shape shape;
  for (auto [dim, size] :
       llvm::enumerate(cast<RankedTensorType>(value.getType()).getShape()))
    shape.push_back(ShapedType::isDynamic(size) ? source[dim]
                                                : Extent::fixed(size));
  return shape;
}

void ProgramBuilder::setLifetimes() {
  llvm::SmallVector<bool> seen(program.tensors.size());
  for (auto [number, launch] : llvm::enumerate(program.launches))
    for (unsigned index : launch.tensors) {
      CpuTensor &tensor = program.tensors[index];
      if (!seen[index])
        tensor.firstUse = number;
      seen[index] = true;
      tensor.lastUse = number;
    }
}
