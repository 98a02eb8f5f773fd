//===- MultiplyWgmma.cpp - products by wgmma with descriptors -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Multiply.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace parablock::tile;

/// Returns the instruction's descriptor of an operand, in two words: its
/// address in units of 16 bytes, and the distance of its panels; the distance
/// of its 8-row groups of 128-byte swizzled rows is constant.
///
/// All lanes have the same address, which a reduction over them makes explicit:
/// the instruction requires uniform registers, and otherwise ptxas moves every
/// descriptor there itself. (A shuffle from one lane would be removed as
/// redundant.) If there are few descriptors, those of a tile that stays are
/// computed before the loop: fewer beside narrow products, which are narrow
/// because registers are short.
static Value createDescriptor(DeviceBuilder &builder, const Operand &operand,
                              int64_t groupBytes, const Product &product) {
  constexpr int64_t narrow = 64;
  int64_t mostKept = (product.columns <= narrow ? 4 : 8) * 16;
  // Bits 16 to 29. An operand with rows first has one panel, and the distance
  // is not used.
  int64_t panelDistance =
      operand.isDepthFirst ? operand.type.getPanelBytes() / 16 : 1;
  Value address = operand.address;
  bool isKept = address.getParentBlock() != builder.getInsertionBlock() &&
                product.depth <= mostKept;
  address = LLVM::PtrToIntOp::create(builder, builder.getI32Type(), address);
  if (groupBytes > 0)
    address = builder.add(
        address,
        builder.multiply(builder.divide(builder.warpIndex(), 4), groupBytes));
  // In a cluster, higher bits select the CTA.
  Value units = builder.remainder(builder.divide(address, 16), 1 << 14);
  if (!isKept)
    units = NVVM::ReduxOp::create(builder, builder.getI32Type(), units,
                                  NVVM::ReduxKind::OR, builder.constant(-1));
  return builder.add(units, panelDistance << 16);
}

/// Both words, of a place so many units of 16 bytes further on.
static Value createDescriptorAt(DeviceBuilder &builder, Value descriptor,
                                int64_t offset) {
  constexpr int64_t groupDistance = 8 * 128 / 16; // bits 32 to 45
  constexpr int64_t swizzle128 = 1;               // bits 62 and 63
  return arith::OrIOp::create(
      builder, builder.extend64(builder.add(descriptor, offset)),
      builder.constant64(swizzle128 << 62 | groupDistance << 32));
}

/// Returns the depth of an instruction: 32 bytes of each operand's row.
static int64_t getStepDepth(BufferType type) {
  return 32 / type.getElementBytes();
}

/// Returns where step `step` along the depth begins, in units of 16 bytes.
static int64_t getDepthOffset(const Operand &operand, int64_t step) {
  int64_t column = getStepDepth(operand.type) * step;
  int64_t perPanel = operand.type.getPanelColumns();
  int64_t bytes = operand.isDepthFirst
                      ? column * operand.type.getRowBytes()
                      : column / perPanel * operand.type.getPanelBytes() +
                            column % perPanel * operand.type.getElementBytes();
  return bytes / 16;
}

namespace {
/// The instructions of one product, which differ in where they begin.
class WarpgroupProduct {
public:
  WarpgroupProduct(DeviceBuilder &builder, const Product &product)
      : builder(builder), product(product),
        right(createDescriptor(builder, product.right, /*groupBytes=*/0,
                               product)) {
    // In registers: rounded before the fence, which orders earlier writes.
    if (auto *packed = std::get_if<PackedOperand>(&product.left)) {
      words = packed->words;
      return;
    }
    if (auto *registers = std::get_if<RegisterOperand>(&product.left)) {
      auto type = cast<FloatType>(product.right.type.getElementType());
      words = packOperand(builder, *registers, product.depth, type).words;
      return;
    }
    const auto &buffer = std::get<Operand>(product.left);
    // Each warpgroup multiplies 64 rows of the left operand: a panel, if those
    // are the buffer's columns.
    left =
        createDescriptor(builder, buffer,
                         buffer.isDepthFirst ? buffer.type.getPanelBytes()
                                             : 64 * buffer.type.getRowBytes(),
                         product);
  }

  /// Issues one step; the accumulator after it.
  Value add(int64_t step, Value accumulator, bool replaces) {
    Value rightStep = advance(right, product.right, product.first / 16 + step);
    if (words.empty())
      return addBuffers(step, rightStep, accumulator, replaces);
    return createRegisterWgmma(builder, ArrayRef(words).slice(4 * step, 4),
                               rightStep, product, accumulator, replaces);
  }

  /// The left operand, where it is in registers.
  SmallVector<Value> words;

private:
  Value advance(Value descriptor, const Operand &operand, int64_t step) {
    return createDescriptorAt(builder, descriptor,
                              getDepthOffset(operand, step));
  }

  Value addBuffers(int64_t step, Value rightStep, Value accumulator,
                   bool replaces) {
    MLIRContext *context = builder.getContext();
    const Operand &leftOperand = std::get<Operand>(product.left);
    BufferType rightType = product.right.type;
    auto shape =
        NVVM::MMAShapeAttr::get(context, 64, static_cast<int>(product.columns),
                                static_cast<int>(getStepDepth(rightType)));
    auto type = NVVM::WGMMATypesAttr::get(
        context, rightType.getElementType().isBF16()  ? NVVM::WGMMATypes::bf16
                 : rightType.getElementType().isF16() ? NVVM::WGMMATypes::f16
                                                      : NVVM::WGMMATypes::e4m3);
    auto f32 = NVVM::WGMMATypesAttr::get(context, NVVM::WGMMATypes::f32);
    auto one = NVVM::WGMMAScaleInAttr::get(context, NVVM::WGMMAScaleIn::one);
    auto accumulate = NVVM::WGMMAScaleOutAttr::get(
        context,
        replaces ? NVVM::WGMMAScaleOut::zero : NVVM::WGMMAScaleOut::one);
    auto getLayout = [&](bool isRow) {
      return NVVM::MMALayoutAttr::get(context, isRow ? NVVM::MMALayout::row
                                                     : NVVM::MMALayout::col);
    };
    return NVVM::WgmmaMmaAsyncOp::create(
        builder, accumulator.getType(), accumulator,
        advance(left, leftOperand, step), rightStep, shape, type, type, f32,
        accumulate, one, one, getLayout(!leftOperand.isDepthFirst),
        getLayout(product.right.isDepthFirst), NVVM::MMAIntOverflowAttr());
  }

  DeviceBuilder &builder;
  const Product &product;
  Value right, left;
};
} // namespace

PackedOperand parablock::tile::packOperand(DeviceBuilder &builder,
                                           const RegisterOperand &operand,
                                           int64_t depth, FloatType type) {
  PackedOperand packed;
  for (int64_t step = 0; step < depth / 16; ++step)
    for (Value part : createFragment(builder, operand, 0, step, type))
      packed.words.push_back(
          LLVM::BitcastOp::create(builder, builder.getI32Type(), part));
  return packed;
}

Value parablock::tile::createRegisterWgmma(DeviceBuilder &builder,
                                           ValueRange left, Value right,
                                           const Product &product,
                                           Value accumulator, bool replaces) {
  SmallVector<Value> elements = builder.unpack(accumulator);
  size_t count = elements.size();
  StringRef type =
      product.right.type.getElementType().isBF16() ? "bf16" : "f16";
  std::string text, constraints;
  llvm::raw_string_ostream textStream(text), constraintStream(constraints);
  textStream << "wgmma.mma_async.sync.aligned.m64n" << product.columns
             << "k16.f32." << type << '.' << type << " {";
  for (size_t i = 0; i < count; ++i) {
    textStream << (i ? ", $" : "$") << i;
    constraintStream << "=f,";
  }
  textStream << "}, {";
  for (size_t i = 0; i < 4; ++i)
    textStream << (i ? ", $" : "$") << count + i;
  // Both operands count as they are; the right one may be turned round.
  textStream << "}, $" << count + 4 << ", " << (replaces ? 0 : 1) << ", 1, 1, "
             << (product.right.isDepthFirst ? 1 : 0) << ';';
  constraintStream << "r,r,r,r,l";
  for (size_t i = 0; i < count; ++i)
    constraintStream << ',' << i;
  SmallVector<Value> operands(left);
  operands.push_back(right);
  llvm::append_range(operands, elements);
  return LLVM::InlineAsmOp::create(
             builder, accumulator.getType(), operands, text, constraints,
             /*has_side_effects=*/true, /*is_align_stack=*/false,
             LLVM::tailcallkind::TailCallKind::None,
             LLVM::AsmDialectAttr::get(builder.getContext(),
                                       LLVM::AsmDialect::AD_ATT),
             /*operand_attrs=*/ArrayAttr())
      .getResult(0);
}

Value parablock::tile::createWgmmaProduct(DeviceBuilder &builder,
                                          const Product &product) {
  WarpgroupProduct warpgroup(builder, product);
  NVVM::WgmmaFenceAlignedOp::create(builder);
  Value accumulator = product.accumulator;
  int64_t steps = product.depth / getStepDepth(product.right.type);
  for (int64_t step = 0; step < steps; ++step)
    accumulator =
        warpgroup.add(step, accumulator, product.isFirst && step == 0);
  NVVM::WgmmaGroupSyncAlignedOp::create(builder);
  return accumulator;
}

Value parablock::tile::createWgmmaSum(DeviceBuilder &builder,
                                      const Product &product) {
  Value sum = createWgmmaProduct(builder, product);
  NVVM::WgmmaWaitGroupSyncOp::create(builder, 0);
  return sum;
}

void parablock::tile::createWgmmaParts(DeviceBuilder &builder, Product product,
                                       int64_t parts, int64_t together,
                                       UnpackParts unpack, FinishPart finish) {
  WarpgroupProduct warpgroup(builder, product);
  int64_t steps = product.depth / 16 / parts;
  for (int64_t first = 0; first < parts; first += together) {
    int64_t end = std::min(first + together, parts);
    product.first = first * steps * 16;
    warpgroup.words = unpack(first, end).words;
    SmallVector<Value> sums(end - first, product.accumulator);
    NVVM::WgmmaFenceAlignedOp::create(builder);
    // Neighbouring instructions have different sums.
    for (int64_t step = 0; step < steps; ++step)
      for (auto [part, sum] : llvm::enumerate(sums))
        sum = warpgroup.add(static_cast<int64_t>(part) * steps + step, sum,
                            step == 0);
    NVVM::WgmmaGroupSyncAlignedOp::create(builder);
    NVVM::WgmmaWaitGroupSyncOp::create(builder, 0);
    for (auto [part, sum] : llvm::enumerate(sums))
      finish(first + static_cast<int64_t>(part), builder.unpack(sum));
  }
}
