//===- Signature.cpp - creates device functions and parameters ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Copies.h"
#include "CopyOut.h"
#include "DeviceBuilder.h"
#include "TileToNVVM.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "parablock/Support/Chips.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace parablock::tile;

namespace {
/// The parameters of a device function as they come together.
struct Parameters {
  SmallVector<Type> types;
  SmallVector<DictionaryAttr> attributes;
  SmallVector<ArgumentAttr> descriptions;

  unsigned add(Type type, ArrayRef<NamedAttribute> attrs,
               ArgumentAttr description) {
    types.push_back(type);
    attributes.push_back(DictionaryAttr::get(type.getContext(), attrs));
    descriptions.push_back(description);
    return types.size() - 1;
  }
};

/// The parameters of one tensor.
struct TensorSlots {
  std::optional<unsigned> pointer;
  SmallVector<std::pair<int64_t, unsigned>> dims;
  SmallVector<std::pair<TensorMapParameter, unsigned>> maps;
};
} // namespace

/// The boxes of `tensor` that tensor maps are needed for, without repetition.
static SmallVector<TensorMapParameter> findBoxes(Value tensor,
                                                 ScheduleAttr schedule) {
  SmallVector<TensorMapParameter> boxes;
  for (Operation *user : tensor.getUsers()) {
    TensorMapParameter box{0, 0};
    if (auto copy = dyn_cast<CopyOp>(user))
      box = getCopyBox(copy, schedule);
    else if (isa<CopyOutOp>(user))
      box = getCopyOutBox();
    else
      continue;
    if (llvm::none_of(boxes, [&](const TensorMapParameter &other) {
          return other.getBox() == box.getBox();
        }))
      boxes.push_back(box);
  }
  // Users come in no order that a reader would see.
  llvm::sort(boxes, [](const auto &a, const auto &b) {
    return a.getBox() < b.getBox();
  });
  return boxes;
}

static TensorSlots addTensor(Parameters &parameters, KernelOp kernel,
                             BlockArgument tensor, bool byMaps) {
  MLIRContext *context = kernel.getContext();
  Builder builder(context);
  int64_t operand = tensor.getArgNumber();
  bool isInput = operand < kernel.getNumInputs();
  bool isConstant = kernel.isConstant(operand);
  TensorSlots slots;
  // Copies by tensor map, and questions for sizes, need no address.
  bool needsPointer = llvm::any_of(tensor.getUsers(), [&](Operation *user) {
    return !isa<DimOp>(user) && !(byMaps && isa<CopyOp, CopyOutOp>(user));
  });
  if (needsPointer) {
    SmallVector<NamedAttribute> attributes = {builder.getNamedAttr(
        LLVM::LLVMDialect::getAlignAttrName(), builder.getI64IntegerAttr(16))};
    // CTAs read each other's workspaces, and possibly outputs of the previous
    // launch: barriers must keep accesses in order.
    bool isWorkspace = operand >= kernel.getNumInputs() +
                                      static_cast<int64_t>(kernel.getOutputs());
    bool isChanging = isInput && !isConstant &&
                      (kernel.getProgrammatic() || kernel.getInPlace());
    // An output that may be an input's memory has other names, too.
    bool isShared = isWorkspace || (!isInput && kernel.getInPlace());
    if (!isShared && !isChanging)
      attributes.push_back(builder.getNamedAttr(
          LLVM::LLVMDialect::getNoAliasAttrName(), builder.getUnitAttr()));
    if (isInput && !isChanging)
      attributes.push_back(builder.getNamedAttr(
          LLVM::LLVMDialect::getReadonlyAttrName(), builder.getUnitAttr()));
    slots.pointer =
        parameters.add(LLVM::LLVMPointerType::get(context, 1), attributes,
                       ArgumentAttr::get(context, ArgumentKind::Pointer,
                                         operand, 0, {}, isConstant));
  }
  if (byMaps) {
    NamedAttribute attributes[] = {
        builder.getNamedAttr(
            LLVM::LLVMDialect::getByValAttrName(),
            TypeAttr::get(LLVM::LLVMArrayType::get(builder.getI8Type(), 128))),
        builder.getNamedAttr(LLVM::LLVMDialect::getAlignAttrName(),
                             builder.getI64IntegerAttr(64)),
        builder.getNamedAttr(NVVM::NVVMDialect::getGridConstantAttrName(),
                             builder.getUnitAttr())};
    for (const TensorMapParameter &box :
         findBoxes(tensor, kernel.getSchedule())) {
      auto sizes = DenseI64ArrayAttr::get(context, box.getBox());
      slots.maps.emplace_back(
          box,
          parameters.add(LLVM::LLVMPointerType::get(context), attributes,
                         ArgumentAttr::get(context, ArgumentKind::TensorMap,
                                           operand, 0, sizes, isConstant)));
    }
  }
  auto type = cast<MemRefType>(tensor.getType());
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    if (type.isDynamicDim(dim))
      slots.dims.emplace_back(
          dim, parameters.add(builder.getI32Type(), {},
                              ArgumentAttr::get(context, ArgumentKind::Dim,
                                                operand, dim, {}, false)));
  return slots;
}

/// Returns how many registers of a thread products of codes need: for sums, and
/// those of a part of the depth besides, codes and addresses. ptxas unpacks
/// several parts ahead.
static int64_t countCodeRegisters(KernelOp kernel) {
  int64_t lanes = 32 * static_cast<int64_t>(kernel.getSchedule().getWarps());
  int64_t most = 0;
  kernel.walk([&](MmaCodesOp op) {
    AccumulatorType type = op.getAccumulator().getType();
    int64_t sums = type.getRows() * type.getColumns() / lanes;
    int64_t copies = op.getScales().empty() ? 1 : 2, others = 48;
    if (op.getScales().size() > 1 || (!op.getScales().empty() && sums > 8))
      others = 64;
    if (op.getScales().size() > 1)
      copies = 5;
    most = std::max(most, others + copies * sums);
  });
  return llvm::alignTo(most, 8);
}

/// Returns the number of CTAs of a multiprocessor that registers are limited
/// for: with one warp that copies, as many as shared memory has room for.
static int32_t countCTAsTogether(KernelOp kernel) {
  constexpr int32_t most = 3;
  if (kernel.getSchedule().getProducers() != 1)
    return 1;
  const parablock::Chip &chip = parablock::getDeviceChip(*kernel.getChip());
  constexpr int64_t registers = 64 * 1024;
  int64_t needed =
      countCodeRegisters(kernel) * kernel.getSchedule().getThreads();
  int32_t together = most;
  while (together > 1 &&
         (needed * together > registers ||
          *kernel.getSharedBytes() > chip.getSharedBytesBeside(together)))
    --together;
  return together;
}

/// Sets the attributes for the launcher and the backend.
static void setAttributes(LLVM::LLVMFuncOp function, KernelOp kernel,
                          ArrayRef<ArgumentAttr> descriptions) {
  Builder builder(function.getContext());
  ScheduleAttr schedule = kernel.getSchedule();
  function->setAttr(gpu::GPUDialect::getKernelFuncAttrName(),
                    builder.getUnitAttr());
  function->setAttr(NVVM::NVVMDialect::getKernelFuncAttrName(),
                    builder.getUnitAttr());
  int32_t threads = schedule.getThreads();
  function->setAttr(NVVM::NVVMDialect::getReqntidAttrName(),
                    builder.getDenseI32ArrayAttr({threads, 1, 1}));
  function->setAttr(NVVM::NVVMDialect::getMinctasmAttrName(),
                    builder.getI32IntegerAttr(countCTAsTogether(kernel)));
  if (int32_t cluster = schedule.getCluster(); cluster > 1)
    function->setAttr(NVVM::NVVMDialect::getClusterDimAttrName(),
                      builder.getDenseI32ArrayAttr({cluster, 1, 1}));
  auto workspaces = llvm::map_to_vector(
      kernel.getArgumentTypes().take_back(kernel.getWorkspaces()),
      llvm::CastTo<MemRefType>);
  function->setAttr(LaunchAttr::getAttrName(),
                    LaunchAttr::get(function.getContext(), descriptions,
                                    schedule, *kernel.getSharedBytes(),
                                    workspaces, kernel.getProgrammatic(),
                                    kernel.getReportsAttr()));
}

/// Prefetches tensor maps, in the first thread that copies: the fetch takes as
/// long as a load from memory, and the first copies would wait for it.
static void prefetchMaps(Block &entry, Location loc,
                         const LoweringContext &context) {
  // Variables stay in the first block, where they become registers.
  OpBuilder start(&entry, llvm::find_if(entry, [](Operation &op) {
    return op.getNumRegions() > 0 || op.hasTrait<OpTrait::IsTerminator>();
  }));
  DeviceBuilder builder(loc, start);
  SmallVector<Value> maps;
  for (const auto &[standIn, tensor] : context.tensors)
    for (const TensorMapParameter &map : tensor.maps)
      maps.push_back(map.pointer);
  if (maps.empty())
    return;
  llvm::sort(maps, [](Value a, Value b) {
    return cast<BlockArgument>(a).getArgNumber() <
           cast<BlockArgument>(b).getArgNumber();
  });
  Value isFirst =
      builder.compare(arith::CmpIPredicate::eq, builder.threadIndex(),
                      builder.constant(context.getWarps() * 32));
  builder.when(isFirst, [&] {
    for (Value map : maps)
      NVVM::PrefetchOp::create(
          builder, /*cacheLevel=*/NVVM::PrefetchCacheLevelAttr(),
          /*evictPriority=*/NVVM::CacheEvictionPriorityAttr(), map,
          /*predicate=*/Value(), /*tensormap=*/builder.getUnitAttr());
  });
}

/// A value of the tensor's type that leads to its pointer.
static Value createStandIn(OpBuilder &builder, BlockArgument tensor,
                           Value pointer) {
  return UnrealizedConversionCastOp::create(builder, tensor.getLoc(),
                                            tensor.getType(), pointer)
      .getResult(0);
}

LLVM::LLVMFuncOp
parablock::tile::createDeviceFunction(KernelOp kernel,
                                      LoweringContext &context) {
  Block &body = kernel.getBody().front();
  bool byMaps = context.schedule.getCopies() == CopyUnit::Tma;
  Parameters parameters;
  SmallVector<TensorSlots> slots;
  for (BlockArgument tensor : body.getArguments())
    slots.push_back(addTensor(parameters, kernel, tensor, byMaps));

  OpBuilder builder(kernel);
  auto function = LLVM::LLVMFuncOp::create(
      builder, kernel.getLoc(), kernel.getSymName(),
      LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(builder.getContext()),
                                  parameters.types));
  setAttributes(function, kernel, parameters.descriptions);
  for (auto [index, attributes] : llvm::enumerate(parameters.attributes))
    function.setArgAttrs(index, attributes);

  Block *entry = function.addEntryBlock(builder);
  builder.setInsertionPointToStart(entry);
  for (auto [tensor, slot] : llvm::zip_equal(body.getArguments(), slots)) {
    TensorParameters of;
    of.pointer =
        slot.pointer
            ? Value(entry->getArgument(*slot.pointer))
            : Value(LLVM::ZeroOp::create(
                  builder, tensor.getLoc(),
                  LLVM::LLVMPointerType::get(builder.getContext(), 1)));
    of.isConstant = kernel.isConstant(tensor.getArgNumber());
    of.dims.resize(cast<MemRefType>(tensor.getType()).getRank());
    for (auto [dim, index] : slot.dims)
      of.dims[dim] = entry->getArgument(index);
    for (auto [box, index] : slot.maps) {
      box.pointer = entry->getArgument(index);
      of.maps.push_back(box);
    }
    Value standIn = createStandIn(builder, tensor, of.pointer);
    tensor.replaceAllUsesWith(standIn);
    context.tensors[standIn] = std::move(of);
  }
  entry->getOperations().splice(entry->end(), body.getOperations());
  prefetchMaps(*entry, kernel.getLoc(), context);
  kernel.erase();
  return function;
}
