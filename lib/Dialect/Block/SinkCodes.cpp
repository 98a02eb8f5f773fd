//===- SinkCodes.cpp - replaces unpacked weights by their codes -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Dialect/Block/SinkCodes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/TypeUtilities.h"
#include "parablock/Dialect/Block/LaneCodes.h"
#include "parablock/Dialect/Block/ShapeChecks.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::block;

namespace {
/// The op that a weight of codes would be made by.
struct Coded {
  Value codes, scales, zeros;
  block::CodeForm form;
  int64_t group;

  bool isLike(const Coded &other) const {
    auto element = [](Value value) {
      return value ? getElementTypeOrSelf(value.getType()) : Type();
    };
    return form == other.form && group == other.group &&
           element(codes) == element(other.codes) &&
           element(scales) == element(other.scales) &&
           element(zeros) == element(other.zeros);
  }
};

/// Finds the codes of a weight, and creates slices of them for parts.
class CodeFinder {
public:
  explicit CodeFinder(OpBuilder &builder) : builder(builder) {}

  /// Returns the codes of `weight`, which are created once.
  std::optional<Coded> find(Value weight) {
    if (auto found = known.find(weight); found != known.end())
      return found->second;
    std::optional<Coded> coded = make(weight);
    known.try_emplace(weight, coded);
    return coded;
  }

private:
  std::optional<Coded> make(Value weight) {
    using Result = std::optional<Coded>;
    Operation *op = weight.getDefiningOp();
    if (!op)
      return std::nullopt;
    return llvm::TypeSwitch<Operation *, Result>(op)
        .Case([](UnpackWeightOp unpack) -> Result {
          // There are loops for codes of i8 alone.
          if (getElementTypeOrSelf(unpack.getCodes().getType())
                  .isUnsignedInteger())
            return std::nullopt;
          return Coded{unpack.getCodes(), unpack.getScales(), unpack.getZeros(),
                       unpack.getForm(),
                       static_cast<int64_t>(unpack.getGroup())};
        })
        .Case([&](tensor::ConcatOp concat) { return join(concat); })
        .Case([&](tensor::ExtractSliceOp slice) { return cut(slice); })
        .Case([&](block::FoldScaleOp fold) { return scale(fold); })
        .Default(Result());
  }

  std::optional<Coded> join(tensor::ConcatOp concat);
  std::optional<Coded> cut(tensor::ExtractSliceOp slice);
  std::optional<Coded> scale(block::FoldScaleOp fold);

  OpBuilder &builder;
  llvm::DenseMap<Value, std::optional<Coded>> known;
};
} // namespace

std::optional<Coded> CodeFinder::join(tensor::ConcatOp concat) {
  if (concat.getDim() != 0)
    return std::nullopt;
  SmallVector<Coded> parts;
  for (Value input : concat.getInputs()) {
    std::optional<Coded> part = find(input);
    if (!part || (!parts.empty() && !part->isLike(parts.front())))
      return std::nullopt;
    parts.push_back(*part);
  }
  Coded whole = parts.front();
  auto together = [&](Value Coded::*member) -> Value {
    if (!(whole.*member))
      return {};
    SmallVector<Value> values;
    for (const Coded &part : parts)
      values.push_back(part.*member);
    return tensor::ConcatOp::create(builder, concat.getLoc(), 0, values);
  };
  return Coded{together(&Coded::codes), together(&Coded::scales),
               together(&Coded::zeros), whole.form, whole.group};
}

/// Some of the rows, of whole ones.
std::optional<Coded> CodeFinder::cut(tensor::ExtractSliceOp slice) {
  RankedTensorType from = slice.getSourceType(), to = slice.getType();
  if (slice->getNumOperands() != 1 || to.getRank() != 2 ||
      to.getDimSize(1) != from.getDimSize(1) || !slice.hasUnitStride())
    return std::nullopt;
  std::optional<Coded> whole = find(slice.getSource());
  if (!whole)
    return std::nullopt;
  auto rows = [&](Value value) -> Value {
    if (!value)
      return {};
    auto numbers = [&](ArrayRef<int64_t> values) {
      return getAsIndexOpFoldResult(builder.getContext(), values);
    };
    return tensor::ExtractSliceOp::create(
        builder, slice.getLoc(), value, numbers({slice.getStaticOffset(0), 0}),
        numbers({to.getDimSize(0), block::getDim(value, 1)}), numbers({1, 1}));
  };
  return Coded{rows(whole->codes), rows(whole->scales), rows(whole->zeros),
               whole->form, whole->group};
}

/// Scales that are powers of 2 by their exponents have no room for a factor.
std::optional<Coded> CodeFinder::scale(block::FoldScaleOp fold) {
  std::optional<Coded> whole = find(fold.getWeight());
  if (!whole || !isa<FloatType>(getElementTypeOrSelf(whole->scales.getType())))
    return std::nullopt;
  whole->scales = block::FoldScaleOp::create(
      builder, fold.getLoc(), whole->scales.getType(), whole->scales,
      fold.getGain(), fold.getFactorAttr());
  return whole;
}

/// Returns whether products alone read argument `number` of a kernel, as their
/// weight.
static bool isWeight(BlockArgument argument) {
  return llvm::all_of(argument.getUses(), [](OpOperand &use) {
    auto step = dyn_cast<StepOpInterface>(use.getOwner());
    return step && isProduct(use.getOwner()) &&
           step.getOperandRole(use) == OperandRole::Weight;
  });
}

/// Replaces weight number `number` of a kernel by its operands; returns the op
/// that unpacks them in the kernel.
static UnpackWeightOp sinkInto(KernelOp kernel, unsigned number,
                               const Coded &coded) {
  Block &body = kernel.getBody().front();
  BlockArgument weight = body.getArgument(number);
  SmallVector<Value> operands = {coded.codes, coded.scales};
  if (coded.zeros)
    operands.push_back(coded.zeros);
  SmallVector<Value> arguments;
  for (Value operand : operands)
    arguments.push_back(body.addArgument(operand.getType(), weight.getLoc()));
  OpBuilder builder = OpBuilder::atBlockBegin(&body);
  auto unpacked = UnpackWeightOp::create(
      builder, coded.codes.getLoc(), cast<RankedTensorType>(weight.getType()),
      arguments[0], arguments[1], coded.zeros ? arguments[2] : Value(),
      coded.form, coded.group);
  weight.replaceAllUsesWith(unpacked);
  kernel->insertOperands(kernel->getNumOperands(), operands);
  kernel->eraseOperand(number);
  body.eraseArgument(number);
  return unpacked;
}

static void sinkInto(KernelOp kernel) {
  OpBuilder builder(kernel);
  CodeFinder finder(builder);
  Block &body = kernel.getBody().front();
  for (unsigned number = body.getNumArguments(); number-- > 0;)
    if (isWeight(body.getArgument(number)))
      if (std::optional<Coded> coded = finder.find(kernel.getInputs()[number]))
        sinkInto(kernel, number, *coded);
}

void block::sinkCodes(Operation *root) {
  root->walk([](KernelOp kernel) {
    if (isProduct(kernel.getKind()))
      sinkInto(kernel);
  });
}

//===----------------------------------------------------------------------===//
// Codes in the order of lanes
//===----------------------------------------------------------------------===//

/// Returns whether tiles of the kernel's product can consist of whole cells:
/// all columns that stay together do.
static bool hasWholeCells(KernelOp kernel) {
  return llvm::all_of(kernel.getBody().front(), [](Operation &op) {
    if (auto split = dyn_cast<SplitOp>(op))
      return llvm::all_of(split.getSegments(), [](Value segment) {
        return getDim(segment, -1) % cellRows == 0;
      });
    auto step = dyn_cast<StepOpInterface>(op);
    int64_t granule = step ? step.getGranule() : 1;
    return granule == 1 || granule % cellRows == 0;
  });
}

/// Replaces the operands of an op in a kernel by those in the order of lanes.
static void reorder(KernelOp kernel, UnpackWeightOp unpacked) {
  OpBuilder builder(kernel);
  auto replace = [&](Value argument, auto create) {
    unsigned number = cast<BlockArgument>(argument).getArgNumber();
    Value ordered = create(kernel->getOperand(number));
    kernel->setOperand(number, ordered);
    argument.setType(ordered.getType());
  };
  replace(unpacked.getCodes(), [&](Value codes) {
    return createLaneCodes(builder, unpacked.getForm(), codes);
  });
  for (Value values : {unpacked.getScales(), unpacked.getZeros()})
    if (values)
      replace(values, [&](Value columns) {
        return createLaneScales(builder, columns);
      });
}

static void sinkLanesInto(KernelOp kernel) {
  // Tried on a copy: either all weights are codes that there is code for, or
  // the kernel stays.
  auto copy = cast<KernelOp>(OpBuilder(kernel).clone(*kernel));
  OpBuilder builder(copy);
  CodeFinder finder(builder);
  Block &body = copy.getBody().front();
  SmallVector<UnpackWeightOp> sunk;
  bool isWhole = hasWholeCells(copy);
  for (unsigned number = body.getNumArguments(); isWhole && number-- > 0;) {
    if (body.getArgument(number).use_empty() ||
        !isWeight(body.getArgument(number)))
      continue;
    std::optional<Coded> coded = finder.find(copy.getInputs()[number]);
    isWhole = coded.has_value();
    if (isWhole)
      sunk.push_back(sinkInto(copy, number, *coded));
  }
  isWhole = isWhole && !sunk.empty() &&
            llvm::all_of(sunk, [](UnpackWeightOp unpacked) {
              return findLaneRefusal(unpacked).empty();
            });
  if (!isWhole)
    return copy.erase();
  for (UnpackWeightOp unpacked : sunk)
    reorder(copy, unpacked);
  kernel->replaceAllUsesWith(copy);
  kernel.erase();
}

//===----------------------------------------------------------------------===//
// Rows in codes
//===----------------------------------------------------------------------===//

/// Returns the op that decodes `rows` where another kernel stores these, in
/// models of 16 bits: sums of tensor cores are less than f32.
static DecodeGroupsOp findDecoded(Value rows) {
  auto kernel = rows.getDefiningOp<KernelOp>();
  if (!kernel)
    return {};
  auto decode = kernel.getBody()
                    .front()
                    .getTerminator()
                    ->getOperand(cast<OpResult>(rows).getResultNumber())
                    .getDefiningOp<DecodeGroupsOp>();
  bool isOwn = decode && decode->hasOneUse() &&
               !getElementTypeOrSelf(decode.getType()).isF32() &&
               decode.getGroup() == kEncodedColumns &&
               decode.getCodes().getDefiningOp<EncodeGroupsOp>() &&
               decode.getScales().getDefiningOp<GroupScalesOp>();
  return isOwn ? decode : DecodeGroupsOp();
}

/// Returns the product of a kernel with one that can multiply codes of both
/// operands, if its rows and its weight are in codes.
static LinearOp findEncodable(KernelOp kernel) {
  auto products = kernel.getBody().front().getOps<LinearOp>();
  if (kernel.getKind() != KernelKind::Linear ||
      !llvm::hasSingleElement(products))
    return {};
  LinearOp linear = *products.begin();
  for (Value operand : {linear.getInput(), linear.getWeight()})
    if (!isa<BlockArgument>(operand) || !operand.hasOneUse())
      return {};
  return linear;
}

static bool canMultiplyRows(const std::optional<Coded> &coded) {
  return coded && coded->form == CodeForm::Fp8 &&
         coded->group % kEncodedColumns == 0 &&
         getElementTypeOrSelf(coded->scales.getType()).isF32();
}

/// Returns `kernel` with codes and scales in place of what `decode` makes of
/// them, its result number `number`; scales are the last result.
static KernelOp storeCodes(KernelOp kernel, DecodeGroupsOp decode,
                           unsigned number) {
  Operation *yield = kernel.getBody().front().getTerminator();
  SmallVector<Value> yielded(yield->getOperands());
  yielded[number] = decode.getCodes();
  yielded.push_back(decode.getScales());
  yield->setOperands(yielded);
  decode.erase();
  OpBuilder builder(kernel);
  auto stored =
      KernelOp::create(builder, kernel.getLoc(), ValueRange(yielded).getTypes(),
                       kernel.getInputs(), kernel.getKind());
  stored->setAttrs(kernel->getAttrs());
  stored.getBody().takeBody(kernel.getBody());
  for (unsigned i = 0; i < kernel.getNumResults(); ++i)
    if (i != number)
      kernel.getResult(i).replaceAllUsesWith(stored.getResult(i));
  return stored;
}

/// Replaces the rows of a kernel's product by `codes` and `scales`.
static void readCodes(KernelOp kernel, LinearOp linear, Value codes,
                      Value scales) {
  Block &body = kernel.getBody().front();
  auto rows = cast<BlockArgument>(linear.getInput());
  Location loc = rows.getLoc();
  Value arguments[] = {body.addArgument(codes.getType(), loc),
                       body.addArgument(scales.getType(), loc)};
  OpBuilder builder = OpBuilder::atBlockBegin(&body);
  rows.replaceAllUsesWith(DecodeGroupsOp::create(
      builder, loc, cast<RankedTensorType>(rows.getType()), arguments[0],
      arguments[1]));
  unsigned number = rows.getArgNumber();
  kernel->insertOperands(kernel->getNumOperands(), {codes, scales});
  kernel->eraseOperand(number);
  body.eraseArgument(number);
}

/// Stores the rows of `kernel` that products alone read as codes, where all of
/// these can multiply codes.
static void sinkRowsOf(KernelOp kernel) {
  for (OpResult rows : kernel.getResults()) {
    DecodeGroupsOp decode = findDecoded(rows);
    if (!decode || rows.use_empty())
      continue;
    SmallVector<std::tuple<KernelOp, LinearOp, Coded>> readers;
    for (OpOperand &use : rows.getUses()) {
      auto reader = dyn_cast<KernelOp>(use.getOwner());
      LinearOp linear = reader ? findEncodable(reader) : LinearOp();
      if (!linear || cast<BlockArgument>(linear.getInput()).getArgNumber() !=
                         use.getOperandNumber())
        break;
      OpBuilder builder(reader);
      auto weight = cast<BlockArgument>(linear.getWeight());
      std::optional<Coded> coded =
          CodeFinder(builder).find(reader.getInputs()[weight.getArgNumber()]);
      if (!canMultiplyRows(coded))
        break;
      readers.emplace_back(reader, linear, *coded);
    }
    if (static_cast<size_t>(llvm::range_size(rows.getUses())) != readers.size())
      continue;
    unsigned number = rows.getResultNumber();
    KernelOp stored = storeCodes(kernel, decode, number);
    for (auto &[reader, linear, coded] : readers) {
      readCodes(reader, linear, stored.getResult(number),
                stored.getResults().back());
      sinkInto(reader, cast<BlockArgument>(linear.getWeight()).getArgNumber(),
               coded);
    }
    kernel.erase();
    return sinkRowsOf(stored);
  }
}

static SmallVector<KernelOp> listKernels(Operation *root) {
  SmallVector<KernelOp> kernels;
  root->walk([&](KernelOp kernel) { kernels.push_back(kernel); });
  return kernels;
}

//===----------------------------------------------------------------------===//
// Stacks of experts
//===----------------------------------------------------------------------===//

UnpackWeightOp block::findStackCodes(Value stack, bool isTransposed) {
  while (auto transpose = stack.getDefiningOp<linalg::TransposeOp>()) {
    if (transpose.getPermutation() != ArrayRef<int64_t>{0, 2, 1})
      return {};
    isTransposed = !isTransposed;
    stack = transpose.getInput();
  }
  auto expand = stack.getDefiningOp<tensor::ExpandShapeOp>();
  SmallVector<ReassociationIndices> groups = {{0, 1}, {2}};
  if (isTransposed || !expand || expand.getReassociationIndices() != groups)
    return {};
  auto unpack = expand.getSrc().getDefiningOp<UnpackWeightOp>();
  if (!unpack || getElementTypeOrSelf(unpack.getCodes()).isUnsignedInteger())
    return {};
  return unpack;
}

UnpackWeightOp block::findLaneStackCodes(Value stack, ExpertsAttr form,
                                         bool isUp) {
  UnpackWeightOp unpack = findStackCodes(stack, form.getTransposed());
  if (!unpack || !findLaneRefusal(unpack).empty())
    return {};
  // Tiles begin at rows of an expert, and of its gate and its up.
  int64_t rows = getDim(stack, form.getTransposed() ? 2 : 1);
  bool isApart =
      isUp && form.hasGate() && form.getLayout() == ExpertLayout::GateUp;
  return rows % (isApart ? 2 * cellRows : cellRows) == 0 ? unpack
                                                         : UnpackWeightOp();
}

UnpackWeightOp block::findLaneStack(Value stack) {
  UnpackWeightOp unpack = findStackCodes(stack, /*isTransposed=*/false);
  return unpack && areLaneCodes(unpack) ? unpack : UnpackWeightOp();
}

bool block::isReadAsCodes(Operation *op) {
  if (op->getParentOfType<KernelOp>())
    return false;
  if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op))
    op = expand.getSrc().getDefiningOp();
  auto unpack = dyn_cast_or_null<UnpackWeightOp>(op);
  return unpack && areLaneCodes(unpack);
}

/// Returns the stack whose codes are `unpack`, with these in the order of
/// lanes.
static Value createLaneStack(OpBuilder &builder, Value stack,
                             UnpackWeightOp unpack) {
  Location loc = unpack.getLoc();
  Value codes = createLaneCodes(builder, unpack.getForm(), unpack.getCodes());
  Value scales = createLaneScales(builder, unpack.getScales());
  Value zeros = unpack.getZeros() ? createLaneScales(builder, unpack.getZeros())
                                  : Value();
  auto matrix =
      UnpackWeightOp::create(builder, loc, unpack.getType(), codes, scales,
                             zeros, unpack.getForm(), unpack.getGroup());
  SmallVector<ReassociationIndices> groups = {{0, 1}, {2}};
  return tensor::ExpandShapeOp::create(builder, loc, stack.getType(), matrix,
                                       groups);
}

static void sinkLanesInto(ExpertsOp op) {
  OpBuilder builder(op);
  for (bool isUp : {true, false}) {
    OpOperand &stack =
        isUp ? op.getUpWeightMutable() : op.getDownWeightMutable();
    UnpackWeightOp unpack = findLaneStackCodes(stack.get(), op.getForm(), isUp);
    if (unpack && !areLaneCodes(unpack))
      stack.set(createLaneStack(builder, stack.get(), unpack));
  }
}

void block::sinkLaneCodes(Operation *root) {
  // Weights of codes may be all that a module has: none of these is then loaded
  // by what it was read from.
  root->getContext()
      ->loadDialect<arith::ArithDialect, linalg::LinalgDialect,
                    tensor::TensorDialect>();
  for (KernelOp kernel : listKernels(root))
    sinkRowsOf(kernel);
  for (KernelOp kernel : listKernels(root))
    if (isProduct(kernel.getKind()) &&
        kernel.getBody().front().getOps<UnpackWeightOp>().empty())
      sinkLanesInto(kernel);
  root->walk([](ExpertsOp op) {
    if (!op.getForm().getTransposed())
      sinkLanesInto(op);
  });
}
