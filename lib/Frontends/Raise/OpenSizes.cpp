//===- OpenSizes.cpp - raises copies with numbers as sizes ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "OpenSizes.h"

#include "JoinSizes.h"
#include "OpenNumbers.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
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
#include "llvm/Support/Format.h"

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

/// More dimensions than these are not named.
static constexpr int64_t kMostDims = 8;

namespace {
/// The name of each `?` of the arguments.
struct SizeNames {
  /// Names by argument and dimension; empty where the size is a number.
  std::vector<SmallVector<std::string>> names;
  /// True where several arguments have the size `shared`.
  bool isShared = false;
  std::string shared;

  StringRef get(unsigned argument, unsigned dim) const {
    return names[argument][dim];
  }
};
} // namespace

/// Names all dynamic sizes. A single one without a name gets a separate name,
/// or one for all such arguments if `shares`.
static SizeNames nameSizes(FunctionOpInterface function, bool shares) {
  SizeNames all;
  for (BlockArgument argument : function.getArguments()) {
    unsigned number = argument.getArgNumber();
    auto type = dyn_cast<RankedTensorType>(argument.getType());
    all.names.emplace_back(type ? type.getRank() : 0);
    auto given = function.getArgAttrOfType<ArrayAttr>(number, block::kDimsAttr);
    for (int64_t d = 0; type && d < type.getRank(); ++d) {
      if (!type.isDynamicDim(d))
        continue;
      std::string &name = all.names.back()[d];
      if (given) {
        name = cast<StringAttr>(given[type.getDynamicDimIndex(d)]).str();
      } else if (shares && type.getNumDynamicDims() == 1) {
        // block-run takes it for dimensions without a name too.
        all.isShared |= !all.shared.empty();
        if (all.shared.empty())
          all.shared = ("d" + Twine(d)).str();
        name = all.shared;
      } else {
        llvm::raw_string_ostream(name)
            << llvm::format("arg%02u.d%u", number, static_cast<unsigned>(d));
      }
    }
  }
  return all;
}

/// Returns why sizes of `function` need names: an argument has several without
/// names, and it is unknown which of them other arguments share.
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
    isBeyondNames |= type.getRank() > kMostDims;
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
static Sizes findSizes(const SizeNames &names) {
  Sizes sizes;
  for (const SmallVector<std::string> &ofArgument : names.names)
    for (const std::string &name : ofArgument)
      if (!name.empty())
        sizes.insert({name, 0});
  return sizes;
}

static bool isPrime(int64_t number) {
  for (int64_t k = 2; k * k <= number; ++k)
    if (number % k == 0)
      return false;
  return true;
}

/// Chooses two primes for each size, all different and above the numbers that
/// they may be compared with, up to the limit for windows and tables.
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

/// Propagates sizes through TOSA; sizes that it cannot infer stay dynamic.
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

/// Canonicalizes a copy, which propagates sizes from arguments to everything
/// else.
static void carrySizes(FunctionOpInterface copy) {
  MLIRContext *context = copy.getContext();
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
}

/// Returns a copy in a separate module, with numbers for sizes.
static OwningOpRef<ModuleOp> copyWithSizes(FunctionOpInterface function,
                                           const SizeNames &names,
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
        size = sizes.lookup(names.get(argument.getArgNumber(), d));
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
  carrySizes(copy);
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

/// Returns false if a number of the function, or an assertion, contradicts the
/// sizes.
static bool isValid(FunctionOpInterface copy) {
  ScopedDiagnosticHandler silence(copy.getContext(),
                                  [](Diagnostic &) { return success(); });
  // Attributes of the arguments are about open sizes.
  return llvm::all_of(copy.getFunctionBody().front(), [](Operation &op) {
    auto assertion = dyn_cast<cf::AssertOp>(op);
    bool fails = assertion && matchPattern(assertion.getArg(), m_Zero());
    return !fails && succeeded(verify(&op));
  });
}

/// Returns the needs of two sizes that show all others.
static SizeNeeds prove(FunctionOpInterface function, const SizeNames &names,
                       const Sizes &sizes) {
  OwningOpRef<ModuleOp> module(ModuleOp::create(function.getLoc()));
  auto copy = cast<FunctionOpInterface>(function->clone());
  module->push_back(copy);
  carrySizes(copy);
  auto list = llvm::to_vector(llvm::make_first_range(sizes));
  return findSizeNeeds(
      copy,
      [&](unsigned argument, unsigned dim) -> unsigned {
        return llvm::find(list, names.get(argument, dim)) - list.begin();
      },
      list);
}

/// The number of each size in a copy, as polynomials have it.
static std::optional<int64_t> evaluateSize(const Polynomial &size,
                                           const Sizes &sizes) {
  return size.evaluate([&](unsigned number) -> std::optional<int64_t> {
    if (number >= sizes.size())
      return std::nullopt;
    return sizes.begin()[number].second;
  });
}

/// Returns a size that two copies show as another one, or as a number.
static std::optional<int64_t> findAmbiguous(ArrayRef<Polynomial> extents,
                                            const Sizes &first,
                                            const Sizes &second) {
  for (const Polynomial &extent : extents) {
    std::optional<int64_t> a = evaluateSize(extent, first);
    std::optional<int64_t> b = evaluateSize(extent, second);
    if (!a || !b)
      continue;
    if (*a == *b)
      return a;
    for (auto [number, sizes] : llvm::enumerate(llvm::zip(first, second))) {
      auto &[one, two] = sizes;
      if (one.second == *a && two.second == *b &&
          !(extent == Polynomial::variable(number)))
        return a;
    }
  }
  return std::nullopt;
}

static SizeRefusal refuseAt(const SizeReader &reader, const Twine &what) {
  return {("'" + reader.name.getStringRef() + "' " + what +
           ": write sizes as numbers")
              .str(),
          reader.location};
}

/// Writes sizes at which tables are read to their ends to `ends`. Returns why
/// two other sizes do not determine these.
static std::optional<SizeRefusal> findEnds(const SizeNeeds &needs,
                                           const Sizes &second, Sizes &ends) {
  for (const TableEnd &end : needs.ends) {
    auto refuse = [&](const Twine &why) {
      return refuseAt(end.reader, "reads rows of a table of " +
                                      Twine(end.rows) + ", " + why);
    };
    std::optional<unsigned> number;
    for (unsigned k = 0; k < second.size(); ++k)
      if (std::optional<Polynomial> rest =
              end.read.minus(Polynomial::variable(k));
          rest && rest->isConstant())
        number = k;
    if (!number)
      return refuse("as many as no one open size is");
    auto &[name, size] = ends.begin()[*number];
    int64_t looked = second.lookup(name);
    int64_t most = end.rows - end.read.getConstant();
    if (most < looked)
      return refuse("as many as '" + name + "', which is looked at from " +
                    Twine(kFirstSize) + " to " + Twine(looked));
    if (most > kMaxSize)
      return refuse("as many as '" + name + "', and no more than " +
                    Twine(kMaxSize) + " are looked at");
    size = size == looked ? most : std::min(size, most);
  }
  return std::nullopt;
}

/// Records the numbers above which sizes show all kinks; those next to a large
/// number move with its replacement.
static std::optional<SizeRefusal> boundSizes(const SizeNeeds &needs,
                                             WholeNumbers &numbers) {
  for (const Bend &bend : needs.bends) {
    bool isLarge = llvm::any_of(numbers.large, [&](int64_t number) {
      return std::abs(number - bend.number) <= kNearNumbers;
    });
    if (isLarge)
      continue;
    if (bend.number >= kMaxSize)
      return refuseAt(bend.origin,
                      "computes numbers of positions that change at " +
                          Twine(bend.number) + ", and sizes up to " +
                          Twine(kMaxSize) + " are looked at");
    numbers.below.insert(bend.number);
  }
  return std::nullopt;
}

/// Returns the first op of `copy` that differs from its counterpart in `other`,
/// a copy that reads tables to their ends. Parts of tables and their shapes
/// fold there.
static Operation *findDifference(FunctionOpInterface copy,
                                 FunctionOpInterface other) {
  auto list = [](FunctionOpInterface function) {
    SmallVector<Operation *> ops;
    function.walk([&](Operation *op) {
      bool isMove = isa<tensor::ExtractSliceOp, tensor::EmptyOp, tensor::CastOp,
                        tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op);
      if (!isMove && !op->hasTrait<OpTrait::ConstantLike>())
        ops.push_back(op);
    });
    return ops;
  };
  SmallVector<Operation *> ops = list(copy), others = list(other);
  for (auto [op, counterpart] : llvm::zip(ops, others)) {
    bool isBlock = isa_and_nonnull<block::BlockDialect>(op->getDialect());
    bool isSame = op->getName() == counterpart->getName() &&
                  (!isBlock ||
                   op->getAttrDictionary() == counterpart->getAttrDictionary());
    if (!isSame)
      return op;
  }
  return ops.size() == others.size() ? nullptr : copy.getOperation();
}

/// Raises the function with sizes of these names.
static std::optional<SizeRefusal>
raiseNamed(FunctionOpInterface function, const SizeNames &names,
           function_ref<void(FunctionOpInterface)> raise) {
  auto refuse = [&](const Twine &what) {
    return SizeRefusal{what.str(), function.getLoc()};
  };
  Sizes first = findSizes(names), second = first;
  SizeNeeds needs = prove(function, names, first);
  if (needs.refusal)
    return needs.refusal;
  // Replacements of large numbers are below the sizes, and differ as well.
  WholeNumbers numbers = findWholeNumbers(function);
  if (std::optional<SizeRefusal> refusal = boundSizes(needs, numbers))
    return refusal;
  Stands stands[2];
  for (unsigned k : {0, 1}) {
    stands[k] = chooseStands(numbers, kFirstSize);
    for (auto [number, stand] : stands[k])
      numbers.below.insert(stand);
  }
  if (!chooseNumbers(numbers, first, second))
    return refuse("whole numbers in the function are too large");
  if (std::optional<int64_t> size = findAmbiguous(needs.extents, first, second))
    return refuse("a size that the function computes is " + Twine(*size) +
                  ", as another one is: write sizes as numbers");
  Sizes ends = second;
  if (std::optional<SizeRefusal> refusal = findEnds(needs, second, ends))
    return refusal;
  auto raiseCopy = [&](const Sizes &sizes, const Stands &stand) {
    OwningOpRef<ModuleOp> module = copyWithSizes(function, names, sizes);
    auto copy = cast<FunctionOpInterface>(&module->getBody()->front());
    if (!isStatic(copy) || !isValid(copy))
      return OwningOpRef<ModuleOp>();
    replaceLargeNumbers(copy, stand);
    raise(copy);
    restoreLargeNumbers(copy, stand);
    return module;
  };
  auto getCopy = [](OwningOpRef<ModuleOp> &module) {
    return cast<FunctionOpInterface>(&module->getBody()->front());
  };
  OwningOpRef<ModuleOp> modules[3];
  bool hasEnds = !needs.ends.empty();
  if (hasEnds)
    modules[2] = raiseCopy(ends, stands[1]);
  modules[0] = raiseCopy(first, stands[0]);
  modules[1] = raiseCopy(second, stands[1]);
  if (!modules[0] || !modules[1] || (hasEnds && !modules[2]))
    return refuse("sizes do not follow from the arguments");
  if (hasEnds)
    if (Operation *other =
            findDifference(getCopy(modules[0]), getCopy(modules[2])))
      return refuseAt(
          needs.ends.front().reader,
          "reads rows of a table of " + Twine(needs.ends.front().rows) +
              ", at the end of which '" + other->getName().getStringRef() +
              "' is another than at the beginning");
  FunctionOpInterface copy = getCopy(modules[0]);
  if (std::optional<Difference> found =
          joinSizes(copy, getCopy(modules[1]), {}))
    return refuse("what was recognised depends on the size: " + found->what);
  if (copy.getResultTypes() != function.getResultTypes() ||
      copy.getArgumentTypes() != function.getArgumentTypes())
    return refuse("a size that is open depends on none of the arguments");
  function.getFunctionBody().takeBody(copy.getFunctionBody());
  return {};
}

/// Callers keep to one size of several arguments if that has a name.
static void nameShared(FunctionOpInterface function, const SizeNames &names) {
  Builder builder(function.getContext());
  for (auto [number, ofArgument] : llvm::enumerate(names.names))
    if (llvm::is_contained(ofArgument, names.shared) &&
        !function.getArgAttr(number, block::kDimsAttr))
      function.setArgAttr(number, block::kDimsAttr,
                          builder.getStrArrayAttr({names.shared}));
}

std::optional<SizeRefusal> parablock::raise::raiseWithOpenSizes(
    FunctionOpInterface function,
    function_ref<void(FunctionOpInterface)> raise) {
  if (std::string fault = findUnnamed(function); !fault.empty())
    return SizeRefusal{fault, function.getLoc()};
  SizeNames shared = nameSizes(function, /*shares=*/true);
  if (!shared.isShared)
    return raiseNamed(function, shared, raise);
  // Sizes without names may differ, unless the function is valid for equal ones
  // only.
  SizeNames apart = nameSizes(function, /*shares=*/false);
  if (!raiseNamed(function, apart, raise))
    return std::nullopt;
  std::optional<SizeRefusal> refusal = raiseNamed(function, shared, raise);
  if (!refusal)
    nameShared(function, shared);
  return refusal;
}
