//===- LossGradKernels.cpp - gradients of cross entropies -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Gradients by logits exist for some columns at a time, in the type of the
// rows, as two numbers where a result has more digits: a chunk gives its rows
// of the gradients by weight and bias, which are final, and its part of the
// gradient by the input, which is added in f32. Chunks of columns, where the
// CPU has chunks of rows, leave the number of rows open, and no pass over
// logits in memory.
//
//===----------------------------------------------------------------------===//

#include "LossKernels.h"

using namespace mlir;
using namespace parablock;
using Source = LaunchSequence::Source;

Value LossKernels::toUnits(TileCode code, Value gradient) const {
  return unit == 1 ? gradient : code.scale(gradient, unit);
}

/// Multiplies a sum of gradients by logits with the factor.
Value LossKernels::finishSum(TileCode code, Value sum, Value factor) const {
  return code.mul(unit == 1 ? sum : code.scale(sum, 1 / unit), factor);
}

/// Inputs: input, targets, gradient and divisor if they are numbers of inputs.
/// Outputs: the number of the first chunk, the factor of gradients by logits,
/// and zeros that chunks add to.
tile::KernelOp LossKernels::buildStart(block::CrossEntropyGradOp grad,
                                       ArrayRef<Source> numbers,
                                       TypeRange sums) {
  SmallVector<Type> inputs = {input.getType(), targets.getType()};
  appendTypes(numbers, inputs);
  SmallVector<Type> outputs = {getOne(i64), getOne(f32)};
  llvm::append_range(outputs, sums);
  constexpr int64_t many = 8192;
  KernelShell shell = site.createRowsShell(
      "_start", std::max(rows.value_or(many), vocabulary), inputs, outputs);
  TileCode code{shell.builder, op->getLoc()};
  for (unsigned number = 2; number < outputs.size(); ++number) {
    Value sum = shell.getOutput(number);
    auto type = cast<RankedTensorType>(outputs[number]);
    Value count = type.getRank() == 1 ? code.index(1) : countRows(code, sum);
    code.gridRows(count, [&](TileCode inner, Value row) {
      inner.columns(inner.index(0), inner.index(type.getShape().back()),
                    [&](TileCode each, Value column) {
                      each.store(each.f32(0), sum, row, column);
                    });
    });
  }
  code.gridRows(code.index(1), [&](TileCode inner, Value row) {
    unsigned next = 2;
    Value gradient = getNumber(inner, shell, grad.getGradient(), next);
    Value count = addRows(inner, /*losses=*/{}, shell.getInput(1)).second;
    Value by = divisor ? getNumber(inner, shell, divisor, next) : count;
    Value factor =
        inner.div(inner.scale(gradient, scale.convertToDouble()), by);
    // Chunks of zeros are multiplied by it.
    factor =
        inner.select(inner.less(count, inner.f32(0.5)), inner.f32(0), factor);
    inner.store(factor, shell.getOutput(1), row, inner.index(0));
    inner.store(inner.toI64(inner.index(0)), shell.getOutput(0), row,
                inner.index(0));
  });
  return shell.kernel;
}

/// Emits columns of a chunk, which begins with column `first`.
void LossKernels::emitGradients(TileCode code, KernelShell &shell,
                                const LossProduct::Row &row, Value first,
                                const LossChunks &chunks) const {
  Value target = loadTarget(code, shell.getInput(2), row.row);
  Value isOut = isIgnored(code, target), own = toColumn(code, target);
  Value facts = shell.getInput(3), biases = bias ? shell.getInput(5) : Value();
  Value largest = code.load(facts, row.row, code.index(kLargest));
  Value share = code.load(facts, row.row, code.index(kShare));
  Value end = code.index(vocabulary), last = code.index(vocabulary - 1);
  code.columns(row.from, row.to, [&](TileCode each, Value column) {
    Value inAll = each.addIndex(first, column);
    Value logit = finishLogit(each, row.load(each, column), biases,
                              each.minIndex(inAll, last));
    Value part = each.mul(each.exp(each.sub(logit, largest)), share);
    Value isOwn = each.equalIndex(inAll, own);
    Value by = each.sub(part, each.select(isOwn, each.f32(1), each.f32(0)));
    if (cap) {
      Value bent = each.scale(logit, 1 / cap->convertToDouble());
      by = each.mul(by, each.sub(each.f32(1), each.mul(bent, bent)));
    }
    Value isIn =
        each.select(isOut, each.boolean(false), each.lessIndex(inAll, end));
    Value left = each.select(isIn, toUnits(each, by), each.f32(0));
    for (int64_t term = 0; term < chunks.terms; ++term) {
      each.store(left, shell.getOutput(0), row.row,
                 each.addIndex(column, each.index(term * chunks.columns)));
      left = each.sub(left, each.round(left, element));
    }
  });
}

/// Gradients by the logits of a chunk. Inputs: input, weight, targets, facts
/// of rows, the chunk's number, bias if any. Outputs: gradients, the next
/// chunk's number.
tile::KernelOp LossKernels::buildChunk(const LossChunks &chunks) {
  LossProduct product({rows, chunks.columns, width}, element, {width, width},
                      site.chip);
  SmallVector<Type> inputs = {input.getType(), weight.getType(),
                              targets.getType(), getRowsType(f32, kFacts),
                              getOne(i64)};
  if (bias)
    inputs.push_back(bias.getType());
  KernelShell shell = createKernelShell(
      site.atModule, op->getLoc(), (site.name + "_chunk").str(),
      product.getSchedule(), inputs, {getChunkType(chunks), getOne(i64)});
  TileCode code{shell.builder, op->getLoc()};
  Value zero = code.index(0);
  Value number = code.toIndex(loadTarget(code, shell.getInput(4), zero));
  Value first = code.mulIndex(number, code.index(chunks.columns));
  product.emit(shell, {shell.getInput(0)},
               {shell.getInput(1), /*isDepthFirst=*/false, first},
               countRows(code, shell.getInput(0)), code.index(width),
               [&](TileCode inner, const LossProduct::Row &row) {
                 emitGradients(inner, shell, row, first, chunks);
               });
  code.gridRows(code.index(1), [&](TileCode inner, Value row) {
    Value next = inner.addIndex(number, inner.index(1));
    inner.store(inner.toI64(next), shell.getOutput(1), row, inner.index(0));
  });
  return shell.kernel;
}

Value LossKernels::loadFirst(TileCode code, Value number,
                             const LossChunks &chunks) const {
  Value chunk = code.toIndex(loadTarget(code, number, code.index(0)));
  return code.mulIndex(chunk, code.index(chunks.columns));
}

/// Adds what a chunk gives of the gradient by the input. Inputs: gradients of
/// the chunk, weight, sums, the chunk's number, the factor, targets.
tile::KernelOp LossKernels::buildInput(const LossChunks &chunks, Type result) {
  LossProduct product({rows, width, chunks.columns}, element,
                      {chunks.columns, width}, site.chip);
  Type sums = getRowsType(f32, width);
  KernelShell shell =
      createKernelShell(site.atModule, op->getLoc(),
                        (site.name + "_input").str(), product.getSchedule(),
                        {getChunkType(chunks), weight.getType(), sums,
                         getOne(i64), getOne(f32), targets.getType()},
                        sums);
  shell.kernel.setInPlace(true);
  TileCode code{shell.builder, op->getLoc()};
  Value first = loadFirst(code, shell.getInput(3), chunks);
  product.emit(
      shell,
      {shell.getInput(0), /*isDepthFirst=*/false, /*firstRow=*/{},
       chunks.countTerms(result), chunks.columns},
      {shell.getInput(1), /*isDepthFirst=*/true, first},
      countRows(code, shell.getInput(0)), code.index(chunks.columns),
      [&](TileCode inner, const LossProduct::Row &row) {
        Value factor = loadNumber(inner, shell.getInput(4));
        // The factor may be infinite.
        Value isOut =
            isIgnored(inner, loadTarget(inner, shell.getInput(5), row.row));
        inner.columns(row.from, row.to, [&](TileCode each, Value column) {
          Value before = each.load(shell.getInput(2), row.row, column);
          Value sum =
              each.add(finishSum(each, row.load(each, column), factor), before);
          each.store(each.select(isOut, before, sum), shell.getOutput(0),
                     row.row, column);
        });
      });
  return shell.kernel;
}

/// Copies rows of input `number` outside of the chunk, unless the output is
/// the same memory.
void LossKernels::copyOtherRows(TileCode code, KernelShell &shell,
                                unsigned number, Value first,
                                int64_t count) const {
  Value from = shell.getInput(number), to = shell.getOutput(0);
  auto type = cast<MemRefType>(from.getType());
  bool isVector = type.getRank() == 1;
  Value end = code.addIndex(first, code.index(count));
  Value all = code.select(code.isSameMemory(from, to), code.index(0),
                          code.index(isVector ? 1 : vocabulary));
  code.gridRows(all, [&](TileCode inner, Value row) {
    inner.columns(
        inner.index(0), inner.index(type.getShape().back()),
        [&](TileCode each, Value column) {
          Value at = isVector ? column : row;
          Value isOwn =
              each.select(each.lessIndex(at, first), each.boolean(false),
                          each.lessIndex(at, end));
          Value isOther =
              each.select(isOwn, each.boolean(false), each.boolean(true));
          each.when(isOther, [&](TileCode other) {
            other.store(other.load(from, row, column), to, row, column);
          });
        });
  });
}

/// Replaces the chunk's rows of the gradient by the weight. Inputs: gradients
/// of the chunk, input, sums, the chunk's number, the factor.
tile::KernelOp LossKernels::buildWeight(const LossChunks &chunks, Type result) {
  LossProduct product({chunks.columns, width, rows}, element,
                      {chunks.columns, width}, site.chip);
  KernelShell shell = createKernelShell(
      site.atModule, op->getLoc(), (site.name + "_weight").str(),
      product.getSchedule(),
      {getChunkType(chunks), input.getType(), result, getOne(i64), getOne(f32)},
      result);
  shell.kernel.setInPlace(true);
  TileCode code{shell.builder, op->getLoc()};
  Value first = loadFirst(code, shell.getInput(3), chunks);
  copyOtherRows(code, shell, 2, first, chunks.columns);
  Value count = code.minIndex(code.subIndex(code.index(vocabulary), first),
                              code.index(chunks.columns));
  product.emit(
      shell,
      {shell.getInput(0), /*isDepthFirst=*/true, /*firstRow=*/{},
       chunks.countTerms(result), chunks.columns},
      {shell.getInput(1), /*isDepthFirst=*/true}, count,
      countRows(code, shell.getInput(0)),
      [&](TileCode inner, const LossProduct::Row &row) {
        Value factor = loadNumber(inner, shell.getInput(4));
        Value own = inner.addIndex(first, row.row);
        inner.columns(row.from, row.to, [&](TileCode each, Value column) {
          each.store(finishSum(each, row.load(each, column), factor),
                     shell.getOutput(0), own, column);
        });
      });
  return shell.kernel;
}

/// Replaces the chunk's elements of the gradient by the bias. Inputs: sums of
/// parts of the rows, sums, the chunk's number, the factor.
tile::KernelOp LossKernels::buildBias(const LossChunks &chunks,
                                      RankedTensorType parts, Type result) {
  auto findFirst = [&](TileCode code, KernelShell &shell) {
    return loadFirst(code, shell.getInput(2), chunks);
  };
  tile::KernelOp kernel = buildColumnTotal(
      site, "_bias", {parts, result, getOne(i64), getOne(f32)}, result,
      [&](TileCode code, KernelShell &shell, Value column, Value sum) {
        Value at = code.addIndex(findFirst(code, shell), column);
        code.when(code.lessIndex(at, code.index(vocabulary)),
                  [&](TileCode each) {
                    Value factor = loadNumber(each, shell.getInput(3));
                    each.store(finishSum(each, sum, factor), shell.getOutput(0),
                               each.index(0), at);
                  });
      });
  kernel.setInPlace(true);
  OpBuilder builder = OpBuilder::atBlockBegin(&kernel.getBody().front());
  KernelShell shell{kernel, builder};
  TileCode code{shell.builder, op->getLoc()};
  copyOtherRows(code, shell, 1, findFirst(code, shell), chunks.columns);
  return kernel;
}

/// Inputs: sums.
tile::KernelOp LossKernels::buildRounded(Type result) {
  KernelShell shell =
      site.createRowsShell("_rounded", rows, getRowsType(f32, width), result);
  TileCode code{shell.builder, op->getLoc()};
  Value sums = shell.getInput(0);
  code.gridRows(countRows(code, sums), [&](TileCode inner, Value row) {
    inner.columns(inner.index(0), inner.index(width),
                  [&](TileCode each, Value column) {
                    each.store(each.load(sums, row, column), shell.getOutput(0),
                               row, column);
                  });
  });
  return shell.kernel;
}

/// Sums the gradients by logits of parts of the rows, all terms of them.
tile::KernelOp LossKernels::buildParts(const LossChunks &chunks,
                                       RankedTensorType parts, Type result) {
  int64_t terms = chunks.countTerms(result);
  return buildColumnParts(
      site, "_parts", getChunkType(chunks), parts,
      [&](TileCode code, KernelShell &shell, Value row, Value column,
          Value sum) {
        for (int64_t term = 0; term < terms; ++term) {
          Value at = code.addIndex(column, code.index(term * chunks.columns));
          sum = code.add(sum, code.load(shell.getInput(0), row, at));
        }
        return sum;
      });
}

LossKernels::ChunkKernels
LossKernels::buildChunkKernels(const LossChunks &chunks,
                               block::CrossEntropyGradOp grad) {
  auto parts =
      RankedTensorType::get({countColumnParts(rows), chunks.columns}, f32);
  ChunkKernels kernels;
  kernels.logits = buildChunk(chunks);
  for (auto [name, result] :
       llvm::zip_equal(grad.getWrt().getAsValueRange<StringAttr>(),
                       grad->getResultTypes())) {
    if (name == "bias")
      kernels.parts = buildParts(chunks, parts, result);
    kernels.ofSums.push_back(name == "input" ? buildInput(chunks, result)
                             : name == "weight"
                                 ? buildWeight(chunks, result)
                                 : buildBias(chunks, parts, result));
  }
  return kernels;
}

void LossKernels::appendChunk(const ChunkKernels &kernels,
                              block::CrossEntropyGradOp grad,
                              ChunkSources &sources) {
  Source number = sources.number, factor = sources.factor;
  SmallVector<Source> inputs = {inputAt, weightAt, targetsAt, sources.rows,
                                number};
  if (bias)
    inputs.push_back(biasAt);
  Source own{0, sequence.append(kernels.logits, inputs)};
  for (auto [name, kernel, sum] :
       llvm::zip_equal(grad.getWrt().getAsValueRange<StringAttr>(),
                       kernels.ofSums, sources.sums)) {
    if (name == "bias") {
      unsigned part = sequence.append(kernels.parts, own);
      sum = {0, sequence.append(kernel, {{0, part}, sum, number, factor},
                                /*overwrites=*/1)};
      continue;
    }
    bool isInput = name == "input";
    inputs = {own, isInput ? weightAt : inputAt, sum, number, factor};
    if (isInput)
      inputs.push_back(targetsAt);
    sum = {0, sequence.append(kernel, inputs, /*overwrites=*/2)};
  }
  sources.number = {1, *own.launch};
}

FailureOr<LaunchSequence>
LossKernels::buildGradients(block::CrossEntropyGradOp grad) {
  if (failed(check()))
    return failure();
  LossChunks chunks(grad);
  unsigned joined = appendRows();

  SmallVector<Source> numbers;
  addNumber({grad.getGradientMutable().getOperandNumber()}, numbers);
  if (divisor)
    addNumber(divisorAt, numbers);
  SmallVector<Type> types;
  for (auto [name, type] : llvm::zip_equal(
           grad.getWrt().getAsValueRange<StringAttr>(), grad->getResultTypes()))
    types.push_back(name == "input" ? Type(getRowsType(f32, width)) : type);
  SmallVector<Source> inputs = {inputAt, targetsAt};
  llvm::append_range(inputs, numbers);
  unsigned start = sequence.append(buildStart(grad, numbers, types), inputs);
  ChunkSources sources = {{0, joined}, {0, start}, {1, start}, {}};
  for (unsigned index = 0; index < types.size(); ++index)
    sources.sums.push_back({index + 2, start});

  ChunkKernels kernels = buildChunkKernels(chunks, grad);
  for (int64_t count = 0; count < chunks.count; ++count)
    appendChunk(kernels, grad, sources);
  for (auto [name, type, sum] :
       llvm::zip_equal(grad.getWrt().getAsValueRange<StringAttr>(),
                       grad->getResultTypes(), sources.sums))
    if (name == "input" && !getElementTypeOrSelf(type).isF32())
      sum = {0, sequence.append(buildRounded(type), sum)};
  sequence.results = sources.sums;
  return std::move(sequence);
}

FailureOr<LaunchSequence> parablock::buildLossGrad(const GradientSite &site) {
  auto op = cast<block::CrossEntropyGradOp>(site.op);
  return LossKernels(site, op).buildGradients(op);
}
