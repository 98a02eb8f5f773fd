//===- KernelShell.cpp - creates kernels with arguments and sizes ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "KernelShell.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "parablock/Dialect/Block/ComputedRows.h"

using namespace mlir;
using namespace parablock;

MemRefType parablock::getGlobalType(Type tensorType) {
  auto tensor = cast<RankedTensorType>(tensorType);
  return MemRefType::get(tensor.getShape(), tensor.getElementType());
}

std::optional<int64_t> parablock::getStaticRows(Type tensorType) {
  int64_t rows = 1;
  for (int64_t size :
       cast<RankedTensorType>(tensorType).getShape().drop_back()) {
    if (ShapedType::isDynamic(size))
      return std::nullopt;
    rows *= size;
  }
  return rows;
}

bool parablock::mayHaveFewRows(Type tensorType, int64_t most) {
  return !getStaticRows(tensorType) &&
         block::countLeastRows(tensorType) <= most;
}

Value KernelShell::lookupInput(Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  return argument ? getInput(argument.getArgNumber()) : Value();
}

KernelShell parablock::createKernelShell(OpBuilder &moduleBuilder,
                                         Operation *source, StringRef name,
                                         tile::ScheduleAttr schedule,
                                         ArrayRef<Type> workspaces,
                                         TypeRange scratch) {
  SmallVector<Type> outputs(source->getResultTypes());
  llvm::append_range(outputs, scratch);
  return createKernelShell(moduleBuilder, source->getLoc(), name, schedule,
                           source->getOperandTypes(), outputs, workspaces);
}

KernelShell parablock::createKernelShell(OpBuilder &moduleBuilder, Location loc,
                                         StringRef name,
                                         tile::ScheduleAttr schedule,
                                         TypeRange inputs, TypeRange outputs,
                                         ArrayRef<Type> workspaces) {
  SmallVector<Type> types;
  for (TypeRange tensors : {inputs, outputs})
    for (Type type : tensors)
      types.push_back(getGlobalType(type));
  llvm::append_range(types, workspaces);
  FunctionType type = moduleBuilder.getFunctionType(types, {});
  auto kernel =
      tile::KernelOp::create(moduleBuilder, loc, name, type, outputs.size(),
                             schedule, workspaces.size());
  Block &body = kernel.getBody().emplaceBlock();
  body.addArguments(types, SmallVector<Location>(types.size(), loc));
  OpBuilder builder = OpBuilder::atBlockEnd(&body);
  auto end = tile::ReturnOp::create(builder, loc);
  builder.setInsertionPoint(end);
  return {kernel, builder};
}

Type parablock::getReportWord(MLIRContext *context) {
  return MemRefType::get({1}, IntegerType::get(context, 64));
}

Value parablock::createIndex(OpBuilder &builder, Location loc, int64_t value) {
  return arith::ConstantIndexOp::create(builder, loc, value);
}

Value parablock::createRowCount(OpBuilder &builder, Location loc,
                                Value tensor) {
  auto type = cast<MemRefType>(tensor.getType());
  int64_t known = 1;
  Value rows;
  for (int64_t dim = 0; dim + 1 < type.getRank(); ++dim) {
    if (!type.isDynamicDim(dim)) {
      known *= type.getDimSize(dim);
      continue;
    }
    Value size = tile::DimOp::create(builder, loc, tensor, dim);
    rows = rows ? arith::MulIOp::create(builder, loc, rows, size) : size;
  }
  Value factor = createIndex(builder, loc, known);
  if (!rows)
    return factor;
  return known == 1 ? rows : arith::MulIOp::create(builder, loc, rows, factor);
}
