//===- ExpertProducts.cpp - products of all experts in one launch ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A persistent loop over the tiles of all experts. The table of tiles has the
// expert of each and its rows; matrices of all experts are one behind the
// other, so a tile begins at a row of the stack. A tile at the end of an expert
// also multiplies rows of the next one, whose sums are not stored. Tiles of
// slots without an expert are past the end of the stack, where copies are
// zeros.
//
// Stacks of codes are left operands, as weights of codes of other products are;
// scales past the end are those of the last row.
//
//===----------------------------------------------------------------------===//

#include "ExpertProducts.h"

#include "CodeProduct.h"
#include "KernelShell.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace parablock;

Value ExpertProductEmitter::createMatrixRow(TileCode code,
                                            const ExpertTile &place,
                                            int64_t piece) {
  Value row = code.mulIndex(place.expert, code.index(product.matrixRows));
  int64_t perPiece = product.perColumn / product.pieces;
  row = code.addIndex(row, code.mulIndex(place.column, code.index(perPiece)));
  return code.addIndex(row, code.index(piece * product.width));
}

Value ExpertProductEmitter::createProduct(TileCode code,
                                          const ExpertTile &place) {
  MLIRContext *context = code.builder.getContext();
  auto getBuffer = [&](int64_t rows, int64_t columns) -> Type {
    return tile::BufferType::get(context, rows, columns, plan.element,
                                 tile::BufferLayout::Swizzled);
  };
  SmallVector<Value> matrixRows;
  for (int64_t piece = 0; piece < product.pieces; ++piece)
    matrixRows.push_back(createMatrixRow(code, place, piece));
  int64_t pieceRows = product.tileColumns / product.pieces;
  // A constant: ptxas serialises wgmma where there may be no step.
  Value steps = code.index(llvm::divideCeil(product.depth, product.stepDepth));
  if (product.codes)
    return createCodeProduct(code, place, matrixRows, steps);
  Type left = getBuffer(plan.tileRows, product.stepDepth);
  Type right = product.isDepthFirst
                   ? getBuffer(product.stepDepth, product.tileColumns)
                   : getBuffer(product.tileColumns, product.stepDepth);
  auto sums =
      tile::AccumulatorType::get(context, plan.tileRows, product.tileColumns);
  Value matrix = code.mulIndex(place.expert, code.index(product.matrixRows));
  Value matrixEnd = code.addIndex(matrix, code.index(product.matrixRows));
  // Tensor maps end at whole steps.
  bool mayEndWithin = product.schedule.getCopies() != tile::CopyUnit::Tma;
  auto copy = [&](TileCode inner, Value step, ValueRange buffers) {
    Value depth = inner.mulIndex(step, inner.index(product.stepDepth));
    tile::CopyOp::create(inner.builder, inner.loc, shell.getInput(0),
                         place.first, depth, buffers[0], 0, plan.tileRows);
    if (product.isDepthFirst) {
      tile::CopyOp::create(inner.builder, inner.loc, shell.getInput(3),
                           inner.addIndex(matrix, depth), place.column,
                           buffers[1], 0, product.stepDepth,
                           mayEndWithin ? matrixEnd : Value());
      return;
    }
    for (auto [piece, row] : llvm::enumerate(matrixRows))
      tile::CopyOp::create(inner.builder, inner.loc, shell.getInput(3), row,
                           depth, buffers[1], piece * pieceRows, pieceRows);
  };
  auto multiply = [&](TileCode inner, Value, ValueRange buffers,
                      ValueRange carried) -> SmallVector<Value> {
    return {tile::MmaOp::create(inner.builder, inner.loc, buffers[0],
                                buffers[1], carried[0], /*less=*/Value(),
                                /*leftDepthFirst=*/false, product.isDepthFirst,
                                /*depth=*/IntegerAttr(), /*deferred=*/false)};
  };
  return code.pipeline(steps, {left, right}, code.zero(sums),
                       product.schedule.getStages(), copy, multiply)[0];
}

Value ExpertProductEmitter::createCodeProduct(TileCode code,
                                              const ExpertTile &place,
                                              ArrayRef<Value> matrixRows,
                                              Value steps) {
  MLIRContext *context = code.builder.getContext();
  block::UnpackWeightOp unpack = product.codes;
  CodeSource source{unpack, shell.getInput(4),
                    unpack.getZeros() ? shell.getInput(5) : Value(),
                    /*steps=*/0};
  auto sums =
      tile::AccumulatorType::get(context, product.tileColumns, plan.tileRows);
  CodeProduct codes(source, sums, matrixRows,
                    product.tileColumns / product.pieces, product.stepDepth);
  Type buffers[] = {getCodeBuffer(context, product.tileColumns),
                    tile::BufferType::get(context, plan.tileRows,
                                          product.stepDepth, plan.element,
                                          tile::BufferLayout::Swizzled)};
  auto copy = [&](const TileCode &inner, Value step, ValueRange given) {
    Value depth = inner.mulIndex(step, inner.index(product.stepDepth));
    codes.createCopies(inner, shell.getInput(3), step, given[0]);
    tile::CopyOp::create(inner.builder, inner.loc, shell.getInput(0),
                         place.first, depth, given[1], 0, plan.tileRows);
  };
  return codes.create(code, steps, /*firstStep=*/{}, buffers, copy,
                      /*fill=*/[](TileCode, Value, ValueRange) {});
}

void ExpertProductEmitter::createEpilogue(TileCode code,
                                          const ExpertTile &place, Value sums,
                                          Value part, EmitRow emitRow) {
  auto type = tile::BufferType::get(
      code.builder.getContext(), plan.tileRows, product.tileColumns,
      code.builder.getF32Type(), tile::BufferLayout::Padded);
  Value staged = tile::StageOp::create(code.builder, code.loc, type, sums,
                                       /*first=*/0, part, product.parts,
                                       /*transposed=*/
                                       static_cast<bool>(product.codes));
  Value count = code.subIndex(place.end, place.first);
  auto rows = tile::RowsOp::create(code.builder, code.loc, count, getExtent(),
                                   part, product.parts);
  Block &body = rows.getBody().emplaceBlock();
  Value localRow = body.addArgument(code.builder.getIndexType(), code.loc);
  OpBuilder atEnd = OpBuilder::atBlockEnd(&body);
  TileCode inner{atEnd, code.loc};
  Value to = inner.minIndex(
      inner.addIndex(place.column, inner.index(product.getTileWidth())),
      inner.index(product.width));
  emitRow(inner, place, inner.addIndex(place.first, localRow), to,
          [&](TileCode at, Value local) {
            return at.load(staged, localRow, local);
          });
  tile::YieldOp::create(atEnd, code.loc);
}

void ExpertProductEmitter::emit(EmitRow emitRow) {
  TileCode code{shell.builder, shell.kernel.getLoc()};
  Value tiles = shell.getInput(1);
  Value count = loadFlatIndex(code, shell.getInput(2), code.index(0));
  code.tiles(count, code.index(product.countColumnTiles()),
             [&](TileCode inner, Value tile, Value column) {
               Value at = inner.mulIndex(tile, inner.index(kTileNumbers));
               auto load = [&](int64_t number) {
                 return loadFlatIndex(inner, tiles,
                                      inner.addIndex(at, inner.index(number)));
               };
               ExpertTile place{
                   load(0), load(1), load(2), column,
                   inner.mulIndex(column, inner.index(product.getTileWidth()))};
               Value sums = createProduct(inner, place);
               if (product.parts == 1)
                 return createEpilogue(inner, place, sums, /*part=*/{},
                                       emitRow);
               inner.loop(inner.index(0), inner.index(product.parts),
                          [&](TileCode each, Value part) {
                            createEpilogue(each, place, sums, part, emitRow);
                          });
             });
}

void ExpertProductEmitter::emitElements(FindRow findRow, EmitElement element) {
  emit([&](TileCode code, const ExpertTile &place, Value at, Value to,
           LoadSum load) {
    Value row = findRow(code, at);
    code.columns(place.column, to, [&](TileCode each, Value column) {
      element(each, place, row, column, load);
    });
  });
}

//===----------------------------------------------------------------------===//
// The products
//===----------------------------------------------------------------------===//

static void appendTypes(SmallVectorImpl<Type> &types, ArrayRef<Value> values) {
  llvm::append_range(types, ValueRange(values).getTypes());
}

Value parablock::addExpertBias(TileCode code, Value x, Value bias, Value expert,
                               Value column) {
  if (!bias)
    return x;
  // Rows of slots without an expert are not read.
  int64_t experts = cast<MemRefType>(bias.getType()).getDimSize(0);
  Value row = code.minIndex(expert, code.index(experts - 1));
  return code.add(x, code.load(bias, row, column));
}

tile::KernelOp parablock::buildUpProduct(OpBuilder &atModule,
                                         const ForwardExpertPlan &plan,
                                         StringRef name) {
  const ExpertProduct &product = plan.up;
  Type i64 = atModule.getI64Type();
  SmallVector<Type> inputs = {
      plan.getSlotsType(plan.element, {plan.slots, product.depth}),
      plan.getSlotsType(i64, {plan.slots, kTileNumbers}),
      RankedTensorType::get({1}, i64)};
  appendTypes(inputs, ExpertPlan::listTensors(plan.upWeight));
  auto next = static_cast<unsigned>(inputs.size());
  if (plan.upBias)
    inputs.push_back(plan.upBias.getType());
  KernelShell shell = createKernelShell(
      atModule, plan.op->getLoc(), name, product.schedule, inputs,
      plan.getSlotsType(plan.element, {plan.slots, product.width}));
  Value bias = plan.upBias ? shell.getInput(next) : Value();
  block::ExpertsAttr form = plan.form;
  bool isApart = product.pieces > 1;
  ExpertProductEmitter(plan, product, shell)
      .emitElements(
          [](TileCode, Value row) { return row; },
          [&](TileCode code, const ExpertTile &place, Value row, Value column,
              ExpertProductEmitter::LoadSum load) {
            Value local = createDistance(code, column, place.column);
            // Part 0 is the gate, if there is one.
            auto loadPart = [&](int64_t part) {
              Value inTile = local, inMatrix = column;
              if (isApart) {
                inTile = code.addIndex(
                    local, code.index(part * product.getTileWidth()));
                inMatrix =
                    code.addIndex(column, code.index(part * product.width));
              } else if (product.perColumn > 1) {
                auto spread = [&](Value at) {
                  return code.addIndex(code.mulIndex(at, code.index(2)),
                                       code.index(part));
                };
                inTile = spread(local);
                inMatrix = spread(column);
              }
              return code.round(addExpertBias(code, load(code, inTile), bias,
                                              place.expert, inMatrix),
                                plan.element);
            };
            Value gate = form.hasGate() ? loadPart(0) : Value();
            Value up = loadPart(form.hasGate() ? 1 : 0);
            if (form.getLimit()) {
              double limit = form.getLimit().getValueAsDouble();
              up = code.max(code.min(up, code.f32(limit)), code.f32(-limit));
              gate = gate ? code.min(gate, code.f32(limit)) : gate;
            }
            Value hidden =
                code.activate(form.getActivation(), gate ? gate : up);
            if (gate) {
              if (double offset = form.getUpOffsetValue())
                up = code.add(up, code.f32(offset));
              hidden = code.mul(hidden, up);
            }
            code.store(hidden, shell.getOutput(0), row, column);
          });
  return shell.kernel;
}

tile::KernelOp parablock::buildDownProduct(OpBuilder &atModule,
                                           const ForwardExpertPlan &plan,
                                           StringRef name) {
  const ExpertProduct &product = plan.down;
  Type i64 = atModule.getI64Type(), f32 = atModule.getF32Type();
  SmallVector<Type> inputs = {
      plan.getSlotsType(plan.element, {plan.slots, product.depth}),
      plan.getSlotsType(i64, {plan.slots, kTileNumbers}),
      RankedTensorType::get({1}, i64)};
  appendTypes(inputs, ExpertPlan::listTensors(plan.downWeight));
  auto next = static_cast<unsigned>(inputs.size());
  inputs.push_back(plan.getSlotsType(i64, plan.slots));
  if (plan.downBias)
    inputs.push_back(plan.downBias.getType());
  KernelShell shell = createKernelShell(
      atModule, plan.op->getLoc(), name, product.schedule, inputs,
      plan.getSlotsType(f32, {plan.slots, product.width}));
  Value bias = plan.downBias ? shell.getInput(next + 1) : Value();
  ExpertProductEmitter(plan, product, shell)
      .emitElements(
          [&](TileCode code, Value at) {
            return loadFlatIndex(code, shell.getInput(next), at);
          },
          [&](TileCode code, const ExpertTile &place, Value row, Value column,
              ExpertProductEmitter::LoadSum load) {
            Value local = createDistance(code, column, place.column);
            Value x = addExpertBias(code, load(code, local), bias, place.expert,
                                    column);
            code.store(x, shell.getOutput(0), row, column);
          });
  return shell.kernel;
}
