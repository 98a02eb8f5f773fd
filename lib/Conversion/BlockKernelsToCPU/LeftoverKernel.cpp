//===- LeftoverKernel.cpp - copies leftover ops into kernels --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "LeftoverKernel.h"

#include "mlir/Conversion/LLVMCommon/MemRefBuilder.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Index/IR/IndexDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "parablock/Analysis/Dataflow.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::cpugen;

//===----------------------------------------------------------------------===//
// Ops in a kernel
//===----------------------------------------------------------------------===//

Leftovers::Leftovers(ArrayRef<Operation *> own, ArrayRef<Value> outputs)
    : ops(own.begin(), own.end()), outputs(outputs) {
  for (Operation *op : own)
    for (Value read : findReads(op))
      addSources(read);
  for (Value output : outputs)
    addSources(output);
}

void Leftovers::addSources(Value value) {
  if (!seen.insert(value).second)
    return;
  Operation *op = value.getDefiningOp();
  if (!takes(op)) {
    inputs.insert(value);
    return;
  }
  for (Value read : findReads(op))
    addSources(read);
}

//===----------------------------------------------------------------------===//
// The kernel
//===----------------------------------------------------------------------===//

namespace {
class LeftoverWriter {
public:
  LeftoverWriter(Frame &frame, const Leftovers &leftovers)
      : code(frame.getCode()), frame(frame), leftovers(leftovers),
        converter(code.builder.getContext()) {}

  void write();

private:
  /// The memory of the tensor at `position` of the launch.
  Value getMemory(unsigned position, Type type);
  /// Returns the value in the kernel, copying the ops that define it.
  Value remake(Value value);

  Code &code;
  Frame &frame;
  const Leftovers &leftovers;
  LLVMTypeConverter converter;
  IRMapping mapping;
  /// The next size of the launch; earlier ones belong to earlier
  /// tensors.
  unsigned nextSize = 0;
};
} // namespace

Value LeftoverWriter::getMemory(unsigned position, Type type) {
  auto tensor = cast<RankedTensorType>(type);
  auto memory = MemRefType::get(tensor.getShape(), tensor.getElementType());
  OpBuilder &builder = code.builder;
  auto descriptor = MemRefDescriptor::poison(builder, code.loc,
                                             converter.convertType(memory));
  Value pointer = frame.getTensor(position);
  descriptor.setAllocatedPtr(builder, code.loc, pointer);
  descriptor.setAlignedPtr(builder, code.loc, pointer);
  descriptor.setConstantOffset(builder, code.loc, 0);
  SmallVector<Value> sizes;
  for (int64_t size : tensor.getShape())
    sizes.push_back(ShapedType::isDynamic(size) ? frame.getDim(nextSize++)
                                                : code.index(size));
  Value stride = code.index(1);
  for (unsigned dim = tensor.getRank(); dim-- > 0;) {
    descriptor.setSize(builder, code.loc, dim, sizes[dim]);
    descriptor.setStride(builder, code.loc, dim, stride);
    stride = code.mulI(stride, sizes[dim]);
  }
  return UnrealizedConversionCastOp::create(builder, code.loc, memory,
                                            Value(descriptor))
      .getResult(0);
}

Value LeftoverWriter::remake(Value value) {
  if (Value known = mapping.lookupOrNull(value))
    return known;
  Operation *op = value.getDefiningOp();
  for (Value read : findReads(op))
    remake(read);
  code.builder.clone(*op, mapping);
  return mapping.lookup(value);
}

void LeftoverWriter::write() {
  unsigned position = 0;
  for (Value input : leftovers.inputs) {
    Value memory = getMemory(position++, input.getType());
    mapping.map(input, bufferization::ToTensorOp::create(
                           code.builder, code.loc, input.getType(), memory,
                           /*restrict=*/true));
  }
  SmallVector<Value> memories;
  for (Value output : leftovers.outputs)
    memories.push_back(getMemory(position++, output.getType()));
  for (Value output : leftovers.outputs)
    remake(output);
  // Last, so that no other value is computed in the memory of a result.
  for (auto [output, memory] : llvm::zip_equal(leftovers.outputs, memories))
    bufferization::MaterializeInDestinationOp::create(
        code.builder, code.loc, /*result=*/Type(), mapping.lookup(output),
        memory, /*restrict=*/true, /*writable=*/true);
  frame.finish();
}

void cpugen::buildLeftoverKernel(Frame &frame, const Leftovers &leftovers) {
  LeftoverWriter(frame, leftovers).write();
}
