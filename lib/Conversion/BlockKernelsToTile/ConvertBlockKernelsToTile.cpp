//===- ConvertBlockKernelsToTile.cpp - replaces kernels by tile launches --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "AttentionKernel.h"
#include "CheckLeftovers.h"
#include "ElementSizes.h"
#include "ElementsKernel.h"
#include "ExpertKernels.h"
#include "GemmKernel.h"
#include "GradientKernels.h"
#include "MovesKernel.h"
#include "OwnRows.h"
#include "RowKernels.h"
#include "SampleKernel.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Pass/Pass.h"
#include "parablock/Analysis/Collectives.h"
#include "parablock/Analysis/ExpertLaunches.h"
#include "parablock/Analysis/GradientLaunches.h"
#include "parablock/Analysis/KernelCache.h"
#include "parablock/Conversion/Passes.h"
#include "parablock/Dialect/Block/BlockOps.h"
#include "parablock/Dialect/Block/ComputedRows.h"
#include "parablock/Dialect/Block/SeparateAppends.h"
#include "parablock/Dialect/Tile/TileOps.h"
#include "parablock/Support/Chips.h"
#include "parablock/Transforms/Shard/Ranks.h"

namespace parablock {
#define GEN_PASS_DEF_CONVERTBLOCKKERNELSTOTILE
#include "parablock/Conversion/Passes.h.inc"
} // namespace parablock

using namespace mlir;
using namespace parablock;

namespace {
constexpr llvm::StringLiteral kModuleName = "kernels";

/// The gpu.module, and the programs in it.
class TilePrograms {
public:
  TilePrograms(ModuleOp module, const GemmTarget &target)
      : module(module), chip(target.chip), products(target) {}

  /// The program of `kernel`, made now where there is none. Kernels with one
  /// program have one `fused` kernel for few rows, if they have any.
  FailureOr<tile::KernelOp> lookupOrBuild(block::KernelOp kernel,
                                          block::KernelOp fused) {
    FailureOr<tile::KernelOp> program = programs.lookupOrBuild(
        kernel, [&](block::KernelOp unknown) { return build(unknown); });
    if (failed(program) || !fused)
      return program;
    block::KernelOp known = fusedOf.try_emplace(*program, fused).first->second;
    return isSameKernel(known, fused) ? program : build(kernel);
  }

  /// Like lookupOrBuild, for an op that is itself a launch.
  FailureOr<tile::KernelOp> lookupOrBuildMove(Operation *op);

  FailureOr<ExpertKernels> lookupOrBuildExperts(block::ExpertsOp op);

  FailureOr<LaunchSequence> lookupOrBuildGradient(Operation *op);

  /// Returns the variant of `kernel` for few rows: none if their number is
  /// known, or if `program` is as good.
  FailureOr<FewRowsKernel> lookupOrBuildFew(block::KernelOp kernel,
                                            tile::KernelOp program);

private:
  FailureOr<tile::KernelOp> build(block::KernelOp kernel);
  /// Returns a builder at the end of the device module, creating the module if
  /// necessary.
  FailureOr<OpBuilder> enterDeviceModule();

  ModuleOp module;
  StringRef chip;
  GemmTarget products;
  gpu::GPUModuleOp deviceModule;
  KernelCache<tile::KernelOp> programs;
  SmallVector<std::pair<Operation *, tile::KernelOp>> moves;
  SmallVector<std::pair<block::ExpertsOp, ExpertKernels>> experts;
  SmallVector<std::pair<Operation *, LaunchSequence>> gradients;
  /// Programs for few rows, by those for any number.
  llvm::DenseMap<Operation *, FewRowsKernel> fewPrograms;
  /// The first kernel for few rows of each program that has one of its own.
  llvm::DenseMap<Operation *, block::KernelOp> fusedOf;
  KernelNames names;
};
} // namespace

/// Returns whether a kernel can have an argument of that type.
static bool isOnDevice(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor)
    return false;
  Type element = tensor.getElementType();
  return element.isF32() || element.isBF16() || element.isF16() ||
         element.isInteger();
}

/// Checks the types of kernels of blocks; those of element kernels are checked
/// where they are built.
static LogicalResult checkTypes(block::KernelOp kernel) {
  for (Type type : kernel.getOperandTypes())
    if (!isOnDevice(type))
      return kernel.emitError()
             << "no GPU code for a kernel with an operand of type " << type
             << ": expected a tensor of f32, bf16, f16 or integers";
  for (Operation &op : kernel.getBody().front())
    for (Type type : op.getResultTypes())
      if (!type.isIndex() && !isOnDevice(type))
        return op.emitError()
               << "no GPU code for '" << op.getName() << "' with a result of "
               << "type " << type << " in a kernel: expected a tensor of f32, "
               << "bf16, f16 or integers";
  return success();
}

FailureOr<OpBuilder> TilePrograms::enterDeviceModule() {
  OpBuilder builder(module.getContext());
  if (!deviceModule) {
    if (Operation *taken = module.lookupSymbol(kModuleName))
      return taken->emitError("expected all kernels as device code, or none: "
                              "some are still to be made");
    builder.setInsertionPointToStart(module.getBody());
    deviceModule =
        gpu::GPUModuleOp::create(builder, module.getLoc(), kModuleName);
  }
  builder.setInsertionPointToEnd(deviceModule.getBody());
  return builder;
}

FailureOr<tile::KernelOp> TilePrograms::lookupOrBuildMove(Operation *op) {
  for (auto &[known, program] : moves)
    if (isSameMove(known, op))
      return program;
  FailureOr<OpBuilder> builder = enterDeviceModule();
  if (failed(builder))
    return failure();
  FailureOr<tile::KernelOp> program = buildMoveKernel(
      *builder, op, names.make(op->getName().stripDialect()), chip);
  if (succeeded(program))
    moves.push_back({op, *program});
  return program;
}

FailureOr<ExpertKernels>
TilePrograms::lookupOrBuildExperts(block::ExpertsOp op) {
  for (auto &[known, kernels] : experts)
    if (haveSameExpertKernels(known, op))
      return kernels;
  FailureOr<OpBuilder> builder = enterDeviceModule();
  if (failed(builder))
    return failure();
  ExpertKernels kernels =
      buildExpertKernels(*builder, op, names.make("experts"), chip);
  experts.push_back({op, kernels});
  return kernels;
}

/// Returns whether operands of two ops that are constants are the same ones:
/// kernels contain these.
static bool haveSameConstants(Operation *first, Operation *second) {
  return llvm::all_of_zip(first->getOperands(), second->getOperands(),
                          [](Value own, Value other) {
                            Attribute a, b;
                            matchPattern(own, m_Constant(&a));
                            matchPattern(other, m_Constant(&b));
                            return a == b;
                          });
}

FailureOr<LaunchSequence> TilePrograms::lookupOrBuildGradient(Operation *op) {
  for (auto &[known, sequence] : gradients)
    if (isSameMove(known, op) && haveSameConstants(known, op))
      return sequence;
  FailureOr<OpBuilder> builder = enterDeviceModule();
  if (failed(builder))
    return failure();
  std::string name = names.make(op->getName().stripDialect());
  FailureOr<LaunchSequence> sequence =
      buildGradientKernels({*builder, op, name, chip});
  if (succeeded(sequence))
    gradients.push_back({op, *sequence});
  return sequence;
}

FailureOr<FewRowsKernel>
TilePrograms::lookupOrBuildFew(block::KernelOp kernel, tile::KernelOp program) {
  if (auto known = fewPrograms.find(program); known != fewPrograms.end())
    return known->second;
  FailureOr<OpBuilder> builder = enterDeviceModule();
  if (failed(builder))
    return failure();
  FailureOr<FewRowsKernel> few = FewRowsKernel();
  std::string name = (program.getSymName() + KernelNames::fewSuffix).str();
  switch (kernel.getKind()) {
  case block::KernelKind::Rows:
  case block::KernelKind::Elements:
    break;
  case block::KernelKind::Sdpa:
    few = buildFewQueriesKernel(*builder, kernel, name, chip);
    break;
  case block::KernelKind::Linear:
  case block::KernelKind::LinearSum:
  case block::KernelKind::Head:
    few = buildFewRowsGemmKernel(*builder, kernel, name, products);
    break;
  }
  if (succeeded(few))
    fewPrograms[program] = *few;
  return few;
}

FailureOr<tile::KernelOp> TilePrograms::build(block::KernelOp kernel) {
  block::KernelKind kind = kernel.getKind();
  if (kind != block::KernelKind::Elements && failed(checkTypes(kernel)))
    return failure();
  FailureOr<OpBuilder> entered = enterDeviceModule();
  if (failed(entered))
    return failure();
  OpBuilder &builder = *entered;
  std::string name = names.make(stringifyKernelKind(kind));
  switch (kind) {
  case block::KernelKind::Rows:
    return buildRowsKernel(builder, kernel, name, chip);
  case block::KernelKind::Sdpa:
    return buildAttentionKernel(builder, kernel, name, chip);
  case block::KernelKind::Elements:
    return buildElementsKernel(builder, kernel, name, chip);
  case block::KernelKind::Linear:
  case block::KernelKind::LinearSum:
  case block::KernelKind::Head:
    return buildGemmKernel(builder, kernel, name, products);
  }
  llvm_unreachable("unknown kind of kernel");
}

/// Returns the input that has the batch and sequence of the kernel's result
/// `index`: every step has those of its first tensor with rows.
static int64_t findRowsOfResult(block::KernelOp kernel, unsigned index) {
  Value value = kernel.getBody().front().getTerminator()->getOperand(index);
  while (Operation *op = value.getDefiningOp()) {
    auto hasRows = [](Value operand) {
      auto type = dyn_cast<RankedTensorType>(operand.getType());
      return type && type.getRank() >= 2;
    };
    auto first = llvm::find_if(op->getOperands(), hasRows);
    if (first == op->operand_end())
      return 0;
    value = *first;
  }
  return cast<BlockArgument>(value).getArgNumber();
}

namespace {
/// Returns a size of an operand of a launch.
using OperandSize =
    llvm::function_ref<AffineExpr(int64_t operand, int64_t dim)>;
} // namespace

/// Describes the dynamic sizes of a launch's results by sizes of its operands.
static void setSizes(tile::LaunchOp launch,
                     llvm::function_ref<AffineExpr(unsigned result, int64_t dim,
                                                   OperandSize getSize)>
                         find) {
  auto isStatic = [](Type type) {
    return cast<RankedTensorType>(type).hasStaticShape();
  };
  if (llvm::all_of(launch.getResultTypes(), isStatic))
    return;
  MLIRContext *context = launch.getContext();
  SmallVector<std::pair<int64_t, int64_t>> symbols;
  auto getSize = [&](int64_t operand, int64_t dim) {
    std::pair<int64_t, int64_t> symbol(operand, dim);
    size_t number = llvm::find(symbols, symbol) - symbols.begin();
    if (number == symbols.size())
      symbols.push_back(symbol);
    return getAffineSymbolExpr(number, context);
  };
  SmallVector<SmallVector<AffineExpr>> sizes;
  for (auto [index, type] : llvm::enumerate(launch.getResultTypes())) {
    SmallVector<AffineExpr> &own = sizes.emplace_back();
    for (auto [dim, size] :
         llvm::enumerate(cast<RankedTensorType>(type).getShape())) {
      own.push_back(ShapedType::isStatic(size)
                        ? getAffineConstantExpr(size, context)
                        : find(index, dim, getSize));
    }
  }
  Builder builder(context);
  SmallVector<int64_t> pairs;
  for (auto [operand, dim] : symbols)
    llvm::append_values(pairs, operand, dim);
  SmallVector<Attribute> maps;
  for (ArrayRef<AffineExpr> own : sizes)
    maps.push_back(builder.getArrayAttr(
        llvm::map_to_vector(own, [&](AffineExpr size) -> Attribute {
          return AffineMapAttr::get(
              AffineMap::get(/*dimCount=*/0, symbols.size(), size));
        })));
  launch.setSizeSymbols(pairs);
  launch.setSizesAttr(builder.getArrayAttr(maps));
}

/// Describes the dynamic sizes of a launch's results.
static LogicalResult describeSizes(tile::LaunchOp launch,
                                   block::KernelOp kernel) {
  if (kernel.getKind() == block::KernelKind::Elements)
    return ElementSizes(kernel).describeResults(launch);
  setSizes(launch, [&](unsigned result, int64_t dim, OperandSize getSize) {
    return getSize(findRowsOfResult(kernel, result), dim);
  });
  return success();
}

static SymbolRefAttr getSymbol(tile::KernelOp program) {
  auto module = cast<gpu::GPUModuleOp>(program->getParentOp());
  return SymbolRefAttr::get(module.getSymNameAttr(),
                            FlatSymbolRefAttr::get(program.getSymNameAttr()));
}

/// Inserts a launch of `program` before `op`. Its results are those of `op`,
/// and then memory that the program uses.
static tile::LaunchOp createLaunch(Operation *op, tile::KernelOp program) {
  OpBuilder builder(op);
  SmallVector<Type> types(op->getResultTypes());
  if (auto sample = dyn_cast<block::SampleOp>(op))
    types.push_back(getScoresType(sample));
  return tile::LaunchOp::create(builder, op->getLoc(), types,
                                getSymbol(program), op->getOperands());
}

/// Replaces `op` by launches: open sizes are those of their first operand.
static void replaceExperts(block::ExpertsOp op, const ExpertKernels &kernels) {
  OpBuilder builder(op);
  replaceByLaunches(
      op, kernels,
      [&](TypeRange results, tile::KernelOp kernel, ValueRange inputs) {
        auto launch = tile::LaunchOp::create(builder, op.getLoc(), results,
                                             getSymbol(kernel), inputs);
        setSizes(launch, [](unsigned, int64_t dim, OperandSize getSize) {
          return getSize(0, dim);
        });
        return launch;
      });
}

/// The types of the results of a kernel.
static SmallVector<Type> getResultTypes(tile::KernelOp kernel) {
  SmallVector<Type> types;
  for (Type type : kernel.getArgumentTypes().slice(kernel.getNumInputs(),
                                                   kernel.getOutputs())) {
    auto memref = cast<MemRefType>(type);
    types.push_back(
        RankedTensorType::get(memref.getShape(), memref.getElementType()));
  }
  return types;
}

static void replaceGradient(Operation *op, const LaunchSequence &sequence) {
  OpBuilder builder(op);
  SmallVector<tile::LaunchOp> launches;
  auto find = [&](const LaunchSequence::Source &source) -> Value {
    return source.launch ? launches[*source.launch]->getResult(source.number)
                         : op->getOperand(source.number);
  };
  for (const LaunchSequence::Launch &step : sequence.launches) {
    auto launch = tile::LaunchOp::create(
        builder, op->getLoc(), getResultTypes(step.kernel),
        getSymbol(step.kernel), llvm::map_to_vector(step.inputs, find));
    setSizes(launch, [&](unsigned result, int64_t dim, OperandSize getSize) {
      for (const auto &size : step.sizes) {
        if (size.result != result || size.dim != dim)
          continue;
        AffineExpr sum = getAffineConstantExpr(size.more, op->getContext());
        for (auto [input, ofInput] : size.of)
          sum = sum + getSize(input, ofInput);
        return sum;
      }
      return getSize(step.sizesOf[result], dim);
    });
    if (step.overwrites)
      launch.setInPlace(ArrayRef<int64_t>{0, *step.overwrites});
    launches.push_back(launch);
  }
  op->replaceAllUsesWith(llvm::map_to_vector(sequence.results, find));
  op->erase();
}

/// Sets the kernel that replaces the launch's own for few
/// rows.
static void setFew(tile::LaunchOp launch, const FewRowsKernel &few) {
  if (few.sizes.empty())
    return;
  SmallVector<int64_t> pairs;
  for (auto [operand, dim] : few.sizes)
    llvm::append_values(pairs, operand, dim);
  if (few.kernel)
    launch.setFewAttr(getSymbol(few.kernel));
  launch.setFewSizes(pairs);
  launch.setMost(few.most);
}

/// Marks sums beside which kernels multiply.
static void markStartedSums(ModuleOp module) {
  for (auto function : module.getOps<FunctionOpInterface>()) {
    OpSet exposed = findExposedSums(function);
    function.walk([&](Operation *op) {
      if (isRankSum(op) && !exposed.contains(op))
        op->setAttr(kStartedSumAttr, UnitAttr::get(op->getContext()));
    });
  }
}

namespace {
/// The ops of a module that become launches, and the programs of each.
class LaunchedOps {
public:
  LaunchedOps(ModuleOp module, OwnRows &ownRows);

  /// Builds all programs; an op without one has an error.
  LogicalResult build(TilePrograms &library);
  /// Replaces each op by launches of its programs.
  LogicalResult replace();

private:
  FailureOr<FewRowsKernel> buildFew(TilePrograms &library,
                                    block::KernelOp kernel,
                                    tile::KernelOp program);
  void replaceMove(Operation *op, tile::KernelOp program);

  OwnRows &ownRows;
  SmallVector<block::KernelOp> kernels;
  SmallVector<Operation *> moves;
  SmallVector<block::ExpertsOp> experts;
  SmallVector<Operation *> gradients;
  SmallVector<tile::KernelOp> programs;
  /// For few rows of each kernel.
  SmallVector<FewRowsKernel> fewPrograms;
  SmallVector<tile::KernelOp> movePrograms;
  SmallVector<ExpertKernels> expertKernels;
  SmallVector<LaunchSequence> sequences;
};
} // namespace

LaunchedOps::LaunchedOps(ModuleOp module, OwnRows &ownRows) : ownRows(ownRows) {
  module.walk([&](Operation *op) {
    auto kernel = dyn_cast<block::KernelOp>(op);
    // A kernel without results has no effect.
    if (kernel && kernel.getNumResults() == 0)
      kernel.erase();
    else if (kernel && !ownRows.isFused(kernel) &&
             !findGatheringExperts(kernel))
      kernels.push_back(kernel);
    else if (auto each = dyn_cast<block::ExpertsOp>(op))
      experts.push_back(each);
    else if (isMove(op))
      moves.push_back(op);
    else if (isGradientLaunch(op))
      gradients.push_back(op);
  });
}

/// Appends what `build` returns for each op.
template <typename OpT, typename ProgramT, typename BuildT>
static LogicalResult buildEach(ArrayRef<OpT> ops,
                               SmallVectorImpl<ProgramT> &programs,
                               BuildT build) {
  for (OpT op : ops) {
    FailureOr<ProgramT> program = build(op);
    if (failed(program))
      return failure();
    programs.push_back(*program);
  }
  return success();
}

FailureOr<FewRowsKernel> LaunchedOps::buildFew(TilePrograms &library,
                                               block::KernelOp kernel,
                                               tile::KernelOp program) {
  FewRowsKernel omission = ownRows.getOmission(kernel);
  if (!omission.sizes.empty())
    return omission;
  block::KernelOp fused = ownRows.getFused(kernel);
  return library.lookupOrBuildFew(fused ? fused : kernel, program);
}

LogicalResult LaunchedOps::build(TilePrograms &library) {
  if (failed(buildEach(ArrayRef(kernels), programs, [&](block::KernelOp op) {
        return library.lookupOrBuild(op, ownRows.getFused(op));
      })))
    return failure();
  for (auto [kernel, program] : llvm::zip_equal(kernels, programs)) {
    FailureOr<FewRowsKernel> few = buildFew(library, kernel, program);
    if (failed(few))
      return failure();
    fewPrograms.push_back(*few);
  }
  ownRows.eraseFused();
  return success(
      succeeded(buildEach(
          ArrayRef(moves), movePrograms,
          [&](Operation *op) { return library.lookupOrBuildMove(op); })) &&
      succeeded(buildEach(ArrayRef(experts), expertKernels,
                          [&](block::ExpertsOp op) {
                            return library.lookupOrBuildExperts(op);
                          })) &&
      succeeded(buildEach(ArrayRef(gradients), sequences, [&](Operation *op) {
        return library.lookupOrBuildGradient(op);
      })));
}

void LaunchedOps::replaceMove(Operation *op, tile::KernelOp program) {
  tile::LaunchOp launch = createLaunch(op, program);
  setSizes(launch, [op](unsigned, int64_t dim, OperandSize getSize) {
    auto [operand, own] = findSizeOfMove(op, dim);
    return getSize(operand, own);
  });
  setFew(launch, ownRows.getOmission(op));
  op->replaceAllUsesWith(launch.getResults().take_front(op->getNumResults()));
  op->erase();
}

LogicalResult LaunchedOps::replace() {
  for (auto [op, sequence] : llvm::zip_equal(gradients, sequences))
    replaceGradient(op, sequence);
  for (auto [op, built] : llvm::zip_equal(experts, expertKernels))
    replaceExperts(op, built);
  for (auto [op, program] : llvm::zip_equal(moves, movePrograms))
    replaceMove(op, program);
  for (auto [kernel, program, few] :
       llvm::zip_equal(kernels, programs, fewPrograms)) {
    tile::LaunchOp launch = createLaunch(kernel, program);
    if (failed(describeSizes(launch, kernel)))
      return failure();
    setFew(launch, few);
    kernel.replaceAllUsesWith(launch.getResults());
    kernel.erase();
  }
  return success();
}

namespace {
struct ConvertBlockKernelsToTilePass
    : public parablock::impl::ConvertBlockKernelsToTileBase<
          ConvertBlockKernelsToTilePass> {
  using ConvertBlockKernelsToTileBase::ConvertBlockKernelsToTileBase;

  void getDependentDialects(DialectRegistry &registry) const final {
    ConvertBlockKernelsToTileBase::getDependentDialects(registry);
    registry.insert<LLVM::LLVMDialect, NVVM::NVVMDialect>();
  }

  void runOnOperation() final {
    ModuleOp module = getOperation();
    if (auto known = findDeviceChip(chip); !known) {
      // Not at the op: that would print the whole module.
      emitError(module.getLoc()) << llvm::toString(known.takeError());
      return signalPassFailure();
    }
    if (rowsApart)
      block::separateRows(module, /*most=*/0);
    if (appendsApart)
      block::separateAppends(module);
    markStartedSums(module);
    OwnRows ownRows(module);
    TilePrograms library(module, {chip, rowsAreLeft, joinsInMemory});
    LaunchedOps launched(module, ownRows);
    if (failed(launched.build(library)) || failed(launched.replace()) ||
        failed(checkLeftovers(module)))
      signalPassFailure();
  }
};
} // namespace
