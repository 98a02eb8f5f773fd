//===- OpenSizes.cpp - functions whose sizes are not known ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "OpenSizes.h"

#include "JoinSizes.h"
#include "OpenNumbers.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/Dialect/Tosa/Transforms/Passes.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "parablock/Dialect/Block/BlockDialect.h"
#include "parablock/Dialect/Block/GuardAngles.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::raise;

/// Names of the open sizes, with the number that each one has in a copy.
using Sizes = llvm::MapVector<StringRef, int64_t>;

/// Larger copies would have tables of too many elements.
static constexpr int64_t kMaxSize = 2048;
/// Smaller numbers are often sizes of something else.
static constexpr int64_t kFirstSize = 61;

bool parablock::raise::isStatic(FunctionOpInterface function) {
  auto isDynamic = [](Type type) {
    auto shaped = dyn_cast<ShapedType>(type);
    return shaped && !shaped.hasStaticShape();
  };
  return !function
              .walk([&](Operation *op) {
                bool dynamic = llvm::any_of(op->getResultTypes(), isDynamic) ||
                               llvm::any_of(op->getOperandTypes(), isDynamic);
                return dynamic ? WalkResult::interrupt()
                               : WalkResult::advance();
              })
              .wasInterrupted();
}

/// Names of sizes without a name, by their dimension.
static constexpr StringLiteral kUnnamed[] = {"?0", "?1", "?2", "?3",
                                             "?4", "?5", "?6", "?7"};

/// Returns what a `?` is called. Two without a name in one argument may differ,
/// and single ones of several arguments are one size.
static StringRef getSizeName(FunctionOpInterface function, unsigned argument,
                             unsigned dim) {
  auto type = cast<RankedTensorType>(function.getArgument(argument).getType());
  if (auto names =
          function.getArgAttrOfType<ArrayAttr>(argument, block::kDimsAttr))
    return cast<StringAttr>(names[type.getDynamicDimIndex(dim)]).getValue();
  return type.getNumDynamicDims() == 1 ? StringRef("?")
                                       : StringRef(kUnnamed[dim]);
}

/// Returns why sizes of `function` need names: an argument has several without
/// any, and which of them other arguments share is not known.
static std::string findUnnamed(FunctionOpInterface function) {
  unsigned numOpen = 0;
  bool isBeyondNames = false;
  std::string fault;
  for (BlockArgument argument : function.getArguments()) {
    auto type = dyn_cast<RankedTensorType>(argument.getType());
    if (!type || type.hasStaticShape())
      continue;
    ++numOpen;
    unsigned number = argument.getArgNumber();
    if (type.getNumDynamicDims() == 1 ||
        function.getArgAttr(number, block::kDimsAttr))
      continue;
    isBeyondNames |= type.getRank() > static_cast<int64_t>(std::size(kUnnamed));
    if (fault.empty())
      llvm::raw_string_ostream(fault)
          << "argument " << number << " has " << type.getNumDynamicDims()
          << " sizes without names, got '" << type
          << "': name them, and those of other arguments, by the attribute "
             "block.dims, as in {block.dims = [\"batch\", \"seq\"]}";
  }
  // All sizes of the only open argument may differ.
  return numOpen > 1 || isBeyondNames ? fault : "";
}

/// All open sizes of the arguments, without numbers yet.
static Sizes findSizes(FunctionOpInterface function) {
  Sizes sizes;
  for (BlockArgument argument : function.getArguments()) {
    auto type = dyn_cast<RankedTensorType>(argument.getType());
    for (int64_t d = 0; type && d < type.getRank(); ++d) {
      if (type.isDynamicDim(d))
        sizes.insert({getSizeName(function, argument.getArgNumber(), d), 0});
    }
  }
  return sizes;
}

static bool isPrime(int64_t number) {
  for (int64_t k = 2; k * k <= number; ++k)
    if (number % k == 0)
      return false;
  return true;
}

/// Two primes for each size, all different and beyond the numbers that they may
/// be compared with, as long as those are what a window or a table may have.
static bool chooseNumbers(const WholeNumbers &numbers, Sizes &first,
                          Sizes &second) {
  int64_t next = kFirstSize;
  for (int64_t number : numbers.below)
    if (number >= next && number < int64_t(1) << 20)
      next = number + 1;
  for (Sizes *sizes : {&first, &second})
    for (auto &[name, size] : *sizes) {
      while (!isPrime(next) || numbers.taken.contains(next))
        ++next;
      size = next++;
    }
  return next <= kMaxSize;
}

namespace {
/// Carries sizes through a concatenation, which upstream has no pattern for.
struct ConcatOfCasts : OpRewritePattern<tensor::ConcatOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(tensor::ConcatOp concat,
                                PatternRewriter &rewriter) const final {
    bool any = false;
    SmallVector<Value> parts;
    for (Value part : concat.getInputs()) {
      auto cast = part.getDefiningOp<tensor::CastOp>();
      bool isKnown = cast && cast.getSource().getType().hasStaticShape();
      parts.push_back(isKnown ? cast.getSource() : part);
      any |= isKnown;
    }
    if (!any)
      return failure();
    Value joined = tensor::ConcatOp::create(rewriter, concat.getLoc(),
                                            concat.getDim(), parts);
    rewriter.replaceOpWithNewOp<tensor::CastOp>(concat, concat.getType(),
                                                joined);
    return success();
  }
};

/// Carries sizes through arithmetic on whole tensors.
struct ElementwiseOfCasts : RewritePattern {
  ElementwiseOfCasts(MLIRContext *context)
      : RewritePattern(MatchAnyOpTypeTag(), /*benefit=*/1, context) {}
  LogicalResult matchAndRewrite(Operation *op,
                                PatternRewriter &rewriter) const final {
    if (!OpTrait::hasElementwiseMappableTraits(op) || op->getNumResults() != 1)
      return failure();
    auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
    if (!type || type.hasStaticShape())
      return failure();
    ArrayRef<int64_t> shape;
    for (Value operand : op->getOperands())
      if (auto cast = operand.getDefiningOp<tensor::CastOp>())
        if (auto from = dyn_cast<RankedTensorType>(cast.getSource().getType());
            from && from.hasStaticShape())
          shape = from.getShape();
    if (shape.empty())
      return failure();
    IRMapping mapping;
    for (Value operand : op->getOperands())
      if (auto from = dyn_cast<RankedTensorType>(operand.getType()))
        mapping.map(operand, rewriter.createOrFold<tensor::CastOp>(
                                 op->getLoc(), from.clone(shape), operand));
    Operation *known = rewriter.clone(*op, mapping);
    known->getResult(0).setType(type.clone(shape));
    rewriter.replaceOpWithNewOp<tensor::CastOp>(op, type, known->getResult(0));
    return success();
  }
};

/// A reshape to sizes that have become numbers.
struct ReshapeToNumbers : OpRewritePattern<tensor::ReshapeOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(tensor::ReshapeOp reshape,
                                PatternRewriter &rewriter) const final {
    auto type = dyn_cast<RankedTensorType>(reshape.getType());
    Value source = reshape.getSource(), sizes = reshape.getShape();
    auto cast = source.getDefiningOp<tensor::CastOp>();
    bool isKnown = cast && cast.getSource().getType().hasStaticShape();
    if (!type || (type.hasStaticShape() && !isKnown))
      return failure();
    if (isKnown)
      source = cast.getSource();
    SmallVector<int64_t> shape;
    DenseIntElementsAttr numbers;
    if (matchPattern(sizes, m_Constant(&numbers)))
      for (const APInt &number : numbers.getValues<APInt>())
        shape.push_back(number.getSExtValue());
    else if (auto elements = sizes.getDefiningOp<tensor::FromElementsOp>())
      for (Value element : elements.getElements()) {
        APInt number;
        if (!matchPattern(element, m_ConstantInt(&number)))
          return failure();
        shape.push_back(number.getSExtValue());
      }
    auto from = dyn_cast<RankedTensorType>(source.getType());
    if (static_cast<int64_t>(shape.size()) != type.getRank() || !from ||
        !from.hasStaticShape() ||
        ShapedType::getNumElements(shape) != from.getNumElements())
      return failure();
    Value known = tensor::ReshapeOp::create(rewriter, reshape.getLoc(),
                                            type.clone(shape), source, sizes);
    if (known.getType() == type)
      rewriter.replaceOp(reshape, known);
    else
      rewriter.replaceOpWithNewOp<tensor::CastOp>(reshape, type, known);
    return success();
  }
};
} // namespace

/// Carries sizes through TOSA; what it cannot infer stays open.
static void inferTosaShapes(ModuleOp module) {
  bool hasTosa =
      module
          .walk([](Operation *op) {
            return isa_and_nonnull<tosa::TosaDialect>(op->getDialect())
                       ? WalkResult::interrupt()
                       : WalkResult::advance();
          })
          .wasInterrupted();
  if (!hasTosa)
    return;
  // The function's own type follows when everything else has its sizes.
  PassManager inference(module.getContext());
  inference.enableVerifier(false);
  inference.addNestedPass<func::FuncOp>(tosa::createTosaInferShapesPass());
  (void)inference.run(module);
}

/// A copy in a module of its own, with numbers for sizes; canonicalization
/// carries them from the arguments to everything else.
static OwningOpRef<ModuleOp> copyWithSizes(FunctionOpInterface function,
                                           const Sizes &sizes) {
  MLIRContext *context = function.getContext();
  OwningOpRef<ModuleOp> module(ModuleOp::create(function.getLoc()));
  auto copy = cast<FunctionOpInterface>(function->clone());
  module->push_back(copy);
  Block &body = copy.getFunctionBody().front();
  OpBuilder builder = OpBuilder::atBlockBegin(&body);
  SmallVector<Type> types;
  for (BlockArgument argument : copy.getArguments()) {
    auto type = dyn_cast<RankedTensorType>(argument.getType());
    types.push_back(argument.getType());
    if (!type || type.hasStaticShape())
      continue;
    SmallVector<int64_t> shape(type.getShape());
    for (auto [d, size] : llvm::enumerate(shape))
      if (ShapedType::isDynamic(size))
        size = sizes.lookup(getSizeName(function, argument.getArgNumber(), d));
    types.back() = type.clone(shape);
    argument.setType(types.back());
    auto open =
        tensor::CastOp::create(builder, argument.getLoc(), type, argument);
    // TOSA infers its shapes; everything else is canonicalized.
    argument.replaceUsesWithIf(open, [&](OpOperand &use) {
      Operation *user = use.getOwner();
      return user != open &&
             !isa_and_nonnull<tosa::TosaDialect>(user->getDialect());
    });
  }
  inferTosaShapes(*module);
  RewritePatternSet patterns(context);
  for (Dialect *dialect : context->getLoadedDialects())
    dialect->getCanonicalizationPatterns(patterns);
  for (RegisteredOperationName op : context->getRegisteredOperations())
    op.getCanonicalizationPatterns(patterns, context);
  patterns.add<ConcatOfCasts, ElementwiseOfCasts, ReshapeToNumbers>(context);
  memref::populateResolveRankedShapedTypeResultDimsPatterns(patterns);
  guardAngles(copy, /*ofConstants=*/true);
  // Reaching the end of its iterations only leaves sizes open.
  (void)applyPatternsGreedily(copy.getOperation(), std::move(patterns));
  Operation *terminator = body.getTerminator();
  for (OpOperand &operand : terminator->getOpOperands())
    if (auto cast = operand.get().getDefiningOp<tensor::CastOp>())
      if (cast.getSource().getType().hasStaticShape()) {
        operand.set(cast.getSource());
        if (cast->use_empty())
          cast.erase();
      }
  copy.setType(
      FunctionType::get(context, types, terminator->getOperandTypes()));
  return module;
}

/// False where a number of the function's own is at odds with the sizes.
static bool isValid(FunctionOpInterface copy) {
  ScopedDiagnosticHandler silence(copy.getContext(),
                                  [](Diagnostic &) { return success(); });
  // Attributes of the arguments are about open sizes.
  return llvm::all_of(copy.getFunctionBody().front(),
                      [](Operation &op) { return succeeded(verify(&op)); });
}

std::string parablock::raise::raiseWithOpenSizes(
    FunctionOpInterface function,
    function_ref<void(FunctionOpInterface)> raise) {
  if (std::string fault = findUnnamed(function); !fault.empty())
    return fault;
  Sizes first = findSizes(function), second = first;
  // What stands for large numbers is below the sizes, and differs as well.
  WholeNumbers numbers = findWholeNumbers(function);
  Stands stands[2];
  for (unsigned k : {0, 1}) {
    stands[k] = chooseStands(numbers, kFirstSize);
    for (auto [number, stand] : stands[k])
      numbers.below.insert(stand);
  }
  if (!chooseNumbers(numbers, first, second))
    return "whole numbers in the function are too large";
  OwningOpRef<ModuleOp> modules[2];
  FunctionOpInterface copies[2];
  for (auto [sizes, stand, module, copy] :
       {std::tuple(&first, &stands[0], &modules[0], &copies[0]),
        std::tuple(&second, &stands[1], &modules[1], &copies[1])}) {
    *module = copyWithSizes(function, *sizes);
    *copy = cast<FunctionOpInterface>(&(*module)->getBody()->front());
    if (!isStatic(*copy) || !isValid(*copy))
      return "sizes do not follow from the arguments";
    replaceLargeNumbers(*copy, *stand);
    raise(*copy);
    restoreLargeNumbers(*copy, *stand);
  }
  FunctionOpInterface copy = copies[0];
  if (std::optional<Difference> found = joinSizes(copy, copies[1], {}))
    return "what was recognised depends on the size: " + found->what;
  if (copy.getResultTypes() != function.getResultTypes() ||
      copy.getArgumentTypes() != function.getArgumentTypes())
    return "a size that is open depends on none of the arguments";
  function.getFunctionBody().takeBody(copy.getFunctionBody());
  return {};
}
