//===- BlockPrepack.cpp - pass block-prepack ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "ConstantWork.h"
#include "PackedNames.h"
#include "PrepackFunction.h"
#include "PrepackRecipe.h"
#include "RecipeWork.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Shard/IR/ShardOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/CSE.h"
#include "parablock/Analysis/Dataflow.h"
#include "parablock/Analysis/Decisions.h"
#include "parablock/Dialect/Block/BlockDialect.h"
#include "parablock/Dialect/Block/BlockOps.h"
#include "parablock/Dialect/Block/ModelFunction.h"
#include "parablock/Dialect/Block/SinkCodes.h"
#include "parablock/Transforms/Passes.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

namespace parablock::block {
#define GEN_PASS_DEF_BLOCKPREPACK
#include "parablock/Transforms/Passes.h.inc"
} // namespace parablock::block

using namespace mlir;
using namespace parablock;
using namespace parablock::block;

namespace {
constexpr StringLiteral kPackWeights = "block-prepack";

/// The part of a model that depends on parameters alone and that recipes
/// support.
class WeightWork {
public:
  /// `unpack` includes unpacking of codes.
  WeightWork(func::FuncOp main, bool unpack);

  /// Values that work on activations reads, in order of their first use.
  ArrayRef<Value> getRoots() const { return roots.getArrayRef(); }
  bool isEmpty() const {
    return llvm::all_of(roots, llvm::IsaPred<BlockArgument>);
  }
  /// In program order.
  ArrayRef<Operation *> getOps() const { return ops.getArrayRef(); }
  bool contains(Operation *op) const { return ops.contains(op); }

  /// Erases the ops, whose results must have no other users, and constants that
  /// only they use.
  void erase();

private:
  /// Constants may be part of weight-only work but are none by themselves.
  enum class Kind { Other, Constant, Weight };
  Kind classify(Operation *op);
  Kind classify(Value value);
  bool isRoot(OpOperand &operand);

  func::FuncOp main;
  bool unpack;
  DenseMap<Operation *, Kind> kinds;
  llvm::SetVector<Operation *> ops;
  SmallVector<Operation *> constants;
  llvm::SetVector<Value> roots;
};
} // namespace

WeightWork::Kind WeightWork::classify(Value value) {
  if (Operation *op = value.getDefiningOp())
    return kinds.lookup_or(op, Kind::Other);
  auto argument = cast<BlockArgument>(value);
  bool isParameter = argument.getOwner() == &main.front() &&
                     main.getArgAttr(argument.getArgNumber(), kParamAttr);
  return isParameter ? Kind::Weight : Kind::Other;
}

/// Returns true for numbers that depend on the rank alone, such as the start of
/// its part of a weight.
static bool isRankArithmetic(Operation *op) {
  if (isa<shard::ProcessLinearIndexOp>(op))
    return true;
  return isa<arith::ConstantOp, arith::AddIOp, arith::MulIOp, arith::DivUIOp>(
             op) &&
         op->getResult(0).getType().isIndex();
}

/// Operands have been classified before, as definitions come first.
WeightWork::Kind WeightWork::classify(Operation *op) {
  // The slices of a rank are work for @prepack, though not for a recipe.
  if (!isRecipeWork(op) && !isa<tensor::ExtractSliceOp>(op) &&
      !isRankArithmetic(op))
    return Kind::Other;
  if ((isa<UnpackWeightOp>(op) && !unpack) || isReadAsCodes(op))
    return Kind::Other;
  Kind kind = Kind::Constant;
  for (Value operand : findReads(op)) {
    Kind other = classify(operand);
    if (other == Kind::Other)
      return Kind::Other;
    if (other == Kind::Weight)
      kind = Kind::Weight;
  }
  return kind;
}

/// Blocks read all tensors as arguments; other ops have small constants within
/// their code.
bool WeightWork::isRoot(OpOperand &operand) {
  Kind kind = classify(operand.get());
  if (kind != Kind::Constant || !isa<RankedTensorType>(operand.get().getType()))
    return kind == Kind::Weight;
  Operation *reader = operand.getOwner();
  return isLargeConstant(operand.get().getDefiningOp()) ||
         (isa_and_nonnull<BlockDialect>(reader->getDialect()) &&
          !isa<YieldOp>(reader));
}

WeightWork::WeightWork(func::FuncOp main, bool unpack)
    : main(main), unpack(unpack) {
  main->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op == main)
      return WalkResult::advance();
    Kind kind = classify(op);
    kinds[op] = kind;
    if (kind == Kind::Weight)
      ops.insert(op);
    if (kind == Kind::Constant)
      constants.push_back(op);
    if (kind == Kind::Other)
      for (OpOperand &operand : op->getOpOperands())
        if (isRoot(operand))
          roots.insert(operand.get());
    // The body defines one element; a kernel only reads operands.
    return kind == Kind::Other && !isa<KernelOp>(op) ? WalkResult::advance()
                                                     : WalkResult::skip();
  });
}

void WeightWork::erase() {
  for (Operation *op : llvm::reverse(ops))
    op->erase();
  for (Operation *op : llvm::reverse(constants))
    if (op->use_empty())
      op->erase();
}

namespace {
struct BlockPrepackPass
    : public block::impl::BlockPrepackBase<BlockPrepackPass> {
  using BlockPrepackBase::BlockPrepackBase;

  void runOnOperation() final {
    ModuleOp module = getOperation();
    func::FuncOp main = findMainFuncOp(module, functionName);
    auto prepack = module.lookupSymbol<func::FuncOp>(kPrepack);
    if (!main)
      return signalPassFailure();
    if (main == prepack)
      recordNoMatch(module, kPackWeights, "model beside @prepack");
    else if (failed(findPrepack(main)) ||
             failed(moveWork(module, main, prepack)))
      return signalPassFailure();
    if (prepack && prepack.isExternal())
      prepack = nullptr;
    if (!recipe.empty() && failed(writeRecipe(module, prepack, recipe)))
      signalPassFailure();
  }

  /// Moves work to `prepack`, which is created if necessary.
  LogicalResult moveWork(ModuleOp module, func::FuncOp main,
                         func::FuncOp &prepack);
};

/// Adds the work for `roots` to `prepack`, which computes the parameters of
/// `main`, and makes it return them instead.
void extend(func::FuncOp prepack, func::FuncOp main, ArrayRef<Value> roots) {
  Operation *terminator = prepack.front().getTerminator();
  IRMapping mapping = mapParameters(prepack, main);
  OpBuilder builder(terminator);
  SmallVector<Value> packed;
  for (Value root : roots)
    packed.push_back(cloneWork(builder, mapping, root));
  terminator->setOperands(packed);
  prepack.removeResAttrsAttr();
  prepack.setType(builder.getFunctionType(prepack.getArgumentTypes(),
                                          ValueRange(roots).getTypes()));
  IRRewriter rewriter(builder);
  DominanceInfo dominance(prepack);
  eliminateCommonSubExpressions(rewriter, dominance, prepack);
}

/// Returns equal results once, and maps each former result to its new
/// number.
SmallVector<unsigned> mergeEqualResults(func::FuncOp prepack) {
  Operation *terminator = prepack.front().getTerminator();
  llvm::MapVector<Value, unsigned> kept;
  SmallVector<unsigned> numbers;
  for (Value value : terminator->getOperands())
    numbers.push_back(kept.try_emplace(value, kept.size()).first->second);
  SmallVector<Value> values;
  for (auto &[value, number] : kept)
    values.push_back(value);
  terminator->setOperands(values);
  prepack.setType(FunctionType::get(prepack.getContext(),
                                    prepack.getArgumentTypes(),
                                    ValueRange(values).getTypes()));
  return numbers;
}

/// Adds an argument to `main` for each result of `prepack`, with its
/// name.
void appendArguments(func::FuncOp main, func::FuncOp prepack,
                     ArrayRef<std::string> names) {
  Builder builder(main->getContext());
  SmallVector<unsigned> positions(names.size(), main.getNumArguments());
  SmallVector<DictionaryAttr> attributes;
  SmallVector<Location> locations;
  for (auto [i, name] : llvm::enumerate(names)) {
    StringAttr label = builder.getStringAttr(name);
    prepack.setResultAttr(i, kOutputAttr, label);
    attributes.push_back(
        builder.getDictionaryAttr(builder.getNamedAttr(kParamAttr, label)));
    locations.push_back(
        prepack.front().getTerminator()->getOperand(i).getLoc());
  }
  (void)main.insertArguments(positions, prepack.getResultTypes(), attributes,
                             locations);
}
} // namespace

static StringRef getText(Attribute name) {
  auto text = dyn_cast_or_null<StringAttr>(name);
  return text ? text.getValue() : "";
}

LogicalResult BlockPrepackPass::moveWork(ModuleOp module, func::FuncOp main,
                                         func::FuncOp &prepack) {
  foldConstantWork(main);
  BitVector parameters = collectParameters(main);
  WeightWork work(main, unpack);
  if (parameters.none() && work.isEmpty()) {
    recordNoMatch(main, kPackWeights, "parameter");
    return success();
  }
  if (prepack && work.isEmpty()) {
    recordNoMatch(main, kPackWeights, "weight-only work outside @prepack");
    return success();
  }
  if (!SymbolTable::symbolKnownUseEmpty(main, module))
    return main.emitError() << "expected no call of @" << main.getName()
                            << ", whose parameters change";

  // A name that is in use keeps its meaning: files may hold it.
  llvm::StringSet<> taken;
  bool isFirst = !prepack;
  if (isFirst) {
    FailureOr<func::FuncOp> made = makePrepack(main);
    if (failed(made))
      return failure();
    prepack = *made;
  } else {
    for (unsigned i = 0, e = prepack.getNumResults(); i < e; ++i)
      taken.insert(getText(prepack.getResultAttr(i, kOutputAttr)));
  }
  extend(prepack, main, work.getRoots());
  SmallVector<unsigned> numbers = mergeEqualResults(prepack);
  std::vector<std::string> names(prepack.getNumResults());
  if (!isFirst)
    for (auto [root, number] : llvm::zip_equal(work.getRoots(), numbers))
      if (auto argument = dyn_cast<BlockArgument>(root))
        names[number] =
            getText(main.getArgAttr(argument.getArgNumber(), kParamAttr));
  makePackedNames(prepack, std::move(taken), names);

  llvm::MapVector<Operation *, unsigned> movedFromLayer;
  for (Operation *op : work.getOps())
    if (auto layer = op->getParentOfType<LayerOp>())
      ++movedFromLayer[layer];
  for (auto [layer, count] : movedFromLayer)
    recordPassed(layer, kPackWeights, "weight-only work moved to @prepack",
                 {{"ops", static_cast<double>(count)}});
  remarkPassed(main, kPackWeights, "weight-only work moved to @prepack",
               {{"ops", static_cast<double>(work.getOps().size())},
                {"parameters", static_cast<double>(parameters.count())},
                {"packed", static_cast<double>(names.size())}});

  if (double unpacked =
          llvm::count_if(work.getOps(), llvm::IsaPred<UnpackWeightOp>))
    remarkAnalysis(main, kPackWeights, "unpacked",
                   "weights of few bits are packed as numbers, and take the "
                   "memory of these",
                   {{"weights", unpacked}});

  unsigned numOriginal = main.getNumArguments();
  appendArguments(main, prepack, names);
  for (auto [root, number] : llvm::zip_equal(work.getRoots(), numbers))
    Value(root).replaceUsesWithIf(
        main.getArgument(numOriginal + number),
        [&](OpOperand &use) { return !work.contains(use.getOwner()); });
  work.erase();
  parameters.resize(main.getNumArguments());
  (void)main.eraseArguments(parameters);
  return success();
}
