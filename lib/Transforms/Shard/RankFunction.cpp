//===- RankFunction.cpp - fixes the rank and narrows parameters -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Transforms/Shard/RankFunction.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Shard/IR/ShardOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "parablock/Dialect/Block/BlockAttrs.h"
#include "parablock/Dialect/Block/BlockDialect.h"
#include "parablock/Dialect/Block/EraseDead.h"
#include "parablock/Transforms/Shard/RankSlices.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace parablock;

//===----------------------------------------------------------------------===//
// Numbers for the rank
//===----------------------------------------------------------------------===//

void parablock::fixRank(ModuleOp module, int64_t rank) {
  SmallVector<Operation *> affected;
  module.walk([&](shard::ProcessLinearIndexOp op) {
    OpBuilder builder(op);
    Value number = arith::ConstantIndexOp::create(builder, op.getLoc(), rank);
    op.replaceAllUsesWith(number);
    op.erase();
  });
  module.walk([&](Operation *op) {
    bool isIndexWork = isa_and_nonnull<arith::ArithDialect>(op->getDialect()) &&
                       op->getNumResults() == 1 &&
                       op->getResult(0).getType().isIndex();
    if (isIndexWork || isa<tensor::ExtractSliceOp, tensor::InsertSliceOp>(op))
      affected.push_back(op);
  });
  RewritePatternSet patterns(module.getContext());
  tensor::ExtractSliceOp::getCanonicalizationPatterns(patterns,
                                                      module.getContext());
  tensor::InsertSliceOp::getCanonicalizationPatterns(patterns,
                                                     module.getContext());
  GreedyRewriteConfig config;
  config.setStrictness(GreedyRewriteStrictness::ExistingAndNewOps);
  // It cannot fail: it stops when nothing is left to fold.
  (void)applyOpPatternsGreedily(affected, std::move(patterns), config);
}

//===----------------------------------------------------------------------===//
// Parts of parameters
//===----------------------------------------------------------------------===//

static bool hasConstantPlace(tensor::ExtractSliceOp slice) {
  return slice->getNumOperands() == 1 && slice.hasUnitStride() &&
         slice.getType().getRank() == slice.getSourceType().getRank();
}

/// The slices that read `parameter`, by their places, or none if it has other
/// readers.
using Slices = llvm::MapVector<std::pair<ArrayRef<int64_t>, Type>,
                               SmallVector<tensor::ExtractSliceOp>>;
static Slices collectSlices(BlockArgument parameter) {
  Slices slices;
  int64_t elements = 0;
  for (Operation *user : parameter.getUsers()) {
    auto slice = dyn_cast<tensor::ExtractSliceOp>(user);
    if (!slice || !hasConstantPlace(slice))
      return {};
    auto &same = slices[{slice.getStaticOffsets(), slice.getType()}];
    if (same.empty())
      elements += slice.getType().getNumElements();
    same.push_back(slice);
  }
  auto type = cast<RankedTensorType>(parameter.getType());
  if (elements >= type.getNumElements())
    return {};
  return slices;
}

static std::string makeName(StringRef parameter, ArrayRef<int64_t> offsets,
                            ArrayRef<int64_t> sizes) {
  std::string name = (parameter + "[").str();
  llvm::raw_string_ostream os(name);
  llvm::interleaveComma(llvm::zip_equal(offsets, sizes), os, [&](auto range) {
    auto [begin, size] = range;
    os << begin << ":" << begin + size;
  });
  os << "]";
  return name;
}

/// Inserts an argument for each of `slices` after `parameter`, with number
/// `position`, and erases that. Returns the number of the last one.
static unsigned replaceBySlices(func::FuncOp function, unsigned position,
                                StringRef parameter, const Slices &slices,
                                std::vector<ParameterPart> &parts) {
  MLIRContext *context = function.getContext();
  BlockArgument whole = function.getArgument(position);
  auto type = cast<RankedTensorType>(whole.getType());
  NamedAttrList attributes(function.getArgAttrDict(position));
  unsigned last = position;
  for (const auto &[place, same] : slices) {
    auto [offsets, sliceType] = place;
    ParameterPart part;
    part.parameter = parameter.str();
    part.shape.assign(type.getShape().begin(), type.getShape().end());
    part.offsets.assign(offsets.begin(), offsets.end());
    part.name = makeName(parameter, offsets,
                         cast<RankedTensorType>(sliceType).getShape());
    attributes.set(block::kParamAttr, StringAttr::get(context, part.name));
    (void)function.insertArgument(
        ++last, sliceType, attributes.getDictionary(context), whole.getLoc());
    for (tensor::ExtractSliceOp slice : same) {
      slice.replaceAllUsesWith(function.getArgument(last));
      slice.erase();
    }
    parts.push_back(std::move(part));
  }
  (void)function.eraseArgument(position);
  return last - 1;
}

std::vector<ParameterPart>
parablock::narrowParameters(func::FuncOp function,
                            llvm::function_ref<bool(StringRef)> hasParts) {
  std::vector<ParameterPart> parts;
  for (unsigned i = 0; i < function.getNumArguments(); ++i) {
    auto parameter =
        function.getArgAttrOfType<StringAttr>(i, block::kParamAttr);
    auto type = dyn_cast<RankedTensorType>(function.getArgument(i).getType());
    if (!parameter || !type || !type.hasStaticShape() ||
        !hasParts(parameter.getValue()))
      continue;
    Slices slices = collectSlices(function.getArgument(i));
    if (!slices.empty())
      i = replaceBySlices(function, i, parameter.getValue(), slices, parts);
  }
  return parts;
}

//===----------------------------------------------------------------------===//
// Parts of packed parameters
//===----------------------------------------------------------------------===//

/// The number of the result of `function` of that name, if there is one.
static std::optional<unsigned> findResult(func::FuncOp function,
                                          StringRef name) {
  for (unsigned i = 0; i < function.getNumResults(); ++i) {
    auto label =
        function.getResultAttrOfType<StringAttr>(i, block::kOutputAttr);
    if (label && label.getValue() == name)
      return i;
  }
  return std::nullopt;
}

/// Makes `prepack` also return `part` of its result `position`.
static void addPart(func::FuncOp prepack, block::RankSlicer &slicer,
                    unsigned position, const ParameterPart &part,
                    ArrayRef<int64_t> sizes) {
  Operation *end = prepack.front().getTerminator();
  OpBuilder builder(end);
  Value value = end->getOperand(position);
  for (auto [dim, offset] : llvm::enumerate(part.offsets))
    value = slicer.slice(builder, value, dim,
                         block::ColumnMap::fixed(offset, sizes[dim]));
  unsigned last = end->getNumOperands();
  end->insertOperands(last, value);
  (void)prepack.insertResult(
      last, value.getType(),
      builder.getDictionaryAttr(builder.getNamedAttr(
          block::kOutputAttr, builder.getStringAttr(part.name))));
}

void parablock::narrowPacked(func::FuncOp function, func::FuncOp prepack,
                             llvm::function_ref<bool(StringRef)> hasParts) {
  std::vector<ParameterPart> parts =
      narrowParameters(function, [&](StringRef name) {
        return findResult(prepack, name) && hasParts(name);
      });
  llvm::StringMap<ArrayRef<int64_t>> sizes;
  for (BlockArgument argument : function.getArguments())
    if (auto name = function.getArgAttrOfType<StringAttr>(
            argument.getArgNumber(), block::kParamAttr))
      sizes[name] = cast<RankedTensorType>(argument.getType()).getShape();
  block::RankSlicer slicer(prepack);
  llvm::StringSet<> replaced;
  for (const ParameterPart &part : parts) {
    addPart(prepack, slicer, *findResult(prepack, part.parameter), part,
            sizes.lookup(part.name));
    replaced.insert(part.parameter);
  }
  Operation *end = prepack.front().getTerminator();
  for (const auto &name : replaced) {
    unsigned position = *findResult(prepack, name.getKey());
    end->eraseOperand(position);
    (void)prepack.eraseResult(position);
  }
  // Removes the ops that computed the whole, and no others.
  eraseDeadOps(prepack->getRegions());
}

//===----------------------------------------------------------------------===//
// Caches
//===----------------------------------------------------------------------===//

/// Returns the number of the result that is `cache` with new rows: for
/// `past_NAME` it is `NAME`.
static std::optional<unsigned> findGrown(func::FuncOp function,
                                         BlockArgument cache) {
  auto name = function.getArgAttrOfType<StringAttr>(cache.getArgNumber(),
                                                    block::kInputAttr);
  StringRef result = name ? name.getValue() : StringRef();
  return result.consume_front("past_") ? findResult(function, result)
                                       : std::nullopt;
}

/// Returns the type of the only columns of `cache` that are read; null if more
/// are read.
static Type findOwnColumns(BlockArgument cache) {
  std::optional<std::pair<int64_t, Type>> own;
  for (Operation *user : cache.getUsers()) {
    if (isa<tensor::DimOp>(user))
      continue;
    auto slice = dyn_cast<tensor::ExtractSliceOp>(user);
    if (!slice || slice.isDynamicOffset(slice.getSourceType().getRank() - 1))
      return {};
    std::pair<int64_t, Type> place(slice.getStaticOffsets().back(),
                                   slice.getType());
    if (own && *own != place)
      return {};
    own = place;
  }
  return own ? own->second : Type();
}

/// Returns this rank's contribution to `value`, if that joins the columns of
/// all ranks.
static Value findJoined(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (auto gather = dyn_cast<shard::AllGatherOp>(op))
      return gather.getInput();
    if (!isa<tensor::ExtractSliceOp, tensor::InsertSliceOp>(op))
      return {};
    value = op->getOperand(0);
  }
  return {};
}

void parablock::narrowCaches(func::FuncOp function) {
  Operation *end = function.front().getTerminator();
  for (BlockArgument cache : function.getArguments()) {
    std::optional<unsigned> grown = findGrown(function, cache);
    Type own = grown ? findOwnColumns(cache) : Type();
    Value joined = own ? findJoined(end->getOperand(*grown)) : Value();
    if (!joined || joined.getType() != own)
      continue;
    cache.setType(own);
    for (Operation *user : llvm::make_early_inc_range(cache.getUsers()))
      if (auto slice = dyn_cast<tensor::ExtractSliceOp>(user)) {
        slice.replaceAllUsesWith(cache);
        slice.erase();
      }
    end->setOperand(*grown, joined);
  }
  function.setFunctionType(FunctionType::get(
      function.getContext(), function.front().getArgumentTypes(),
      end->getOperandTypes()));
  eraseDeadOps(function->getRegions());
}
