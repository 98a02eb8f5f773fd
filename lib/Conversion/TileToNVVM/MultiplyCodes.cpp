//===- MultiplyCodes.cpp - products of codes unpacked in registers --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A lane loads 16 bytes of codes of each of its two rows of a cell and places
// them, two at a time, in the mantissas of two numbers of the right operand's
// type that begin as a power of two; subtracting that leaves the numbers of the
// codes, exactly: bytes are from -128 to 127, and half bytes less 8. These are
// the left operand of a product.
//
//===----------------------------------------------------------------------===//

#include "Multiply.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace parablock::tile;

namespace {
/// Turns words of codes into pairs of numbers.
class CodeUnpacker {
public:
  CodeUnpacker(DeviceBuilder &builder, bool hasTwo, FloatType type)
      : builder(builder), hasTwo(hasTwo), type(type) {}

  /// Returns the numbers of two neighbouring columns, as the bits of a word:
  /// those of pair `pair` of the bytes of `word`, or of byte `pair` if a byte
  /// has two codes.
  Value unpack(Value word, int64_t pair) {
    Value numbers = hasTwo ? unpackHalves(word, pair) : unpackBytes(word, pair);
    return LLVM::BitcastOp::create(builder, builder.getI32Type(), numbers);
  }

private:
  bool isBF16() const { return type.isBF16(); }

  /// Selects four bytes: 0 to 3 are those of `low`.
  Value permute(Value low, Value high, int64_t selector) {
    return NVVM::PermuteOp::create(builder, builder.getI32Type(), low, high,
                                   builder.constant(selector),
                                   NVVM::PermuteMode::DEFAULT);
  }
  /// Returns the bits of `word` in `mask`, as mantissas of numbers that begin
  /// as `power`.
  Value place(Value word, int64_t mask, int64_t power) {
    Value bits = arith::AndIOp::create(builder, word, builder.constant(mask));
    bits = arith::OrIOp::create(builder, bits,
                                builder.constant(power << 16 | power));
    return LLVM::BitcastOp::create(builder, VectorType::get(2, type), bits);
  }
  Value splat(double low, double high) {
    Attribute values[] = {builder.getFloatAttr(type, low),
                          builder.getFloatAttr(type, high)};
    return arith::ConstantOp::create(
        builder,
        DenseElementsAttr::get(VectorType::get(2, type), ArrayRef(values)));
  }
  Value fma(Value a, Value b, Value c) {
    return LLVM::FMAOp::create(builder, a, b, c);
  }

  /// 1024 plus 128 and the byte is exact in f16. In bf16 with 7 bits of
  /// mantissa, 128 plus the low 7 bits of the byte is, of which 128 is
  /// subtracted, or 256 where the sign is set.
  Value unpackBytes(Value word, int64_t pair) {
    int64_t selector = 0x4040 | 2 * pair | (2 * pair + 1) << 8;
    if (!isBF16()) {
      Value turned = builder.exclusiveOr(word, builder.constant(0x80808080));
      Value bits = permute(turned, builder.constant(0x64646464), selector);
      Value numbers =
          LLVM::BitcastOp::create(builder, VectorType::get(2, type), bits);
      return LLVM::FAddOp::create(builder, numbers, splat(-1152, -1152));
    }
    Value bytes = permute(word, builder.constant(0), selector);
    Value numbers = place(bytes, 0x007f007f, power128);
    Value signs = place(bytes, 0x00800080, power128);
    return fma(signs, splat(-1, -1), numbers);
  }

  /// The low four bits are a number as they are; the high four count 16 times
  /// in f16, and 8 times in bf16, where the byte is shifted by one bit.
  Value unpackHalves(Value word, int64_t pair) {
    int64_t selector = pair << 12 | pair << 4 | pair;
    if (!isBF16()) {
      Value bytes = permute(word, word, selector | pair << 8);
      return fma(place(bytes, 0x00f0000f, power1024), splat(1, 1.0 / 16),
                 splat(-1032, -72));
    }
    Value shifted = arith::ShRUIOp::create(builder, word, builder.constant(1));
    Value bytes = permute(word, shifted, selector | (4 + pair) << 8);
    return fma(place(bytes, 0x0078000f, power128), splat(1, 1.0 / 8),
               splat(-136, -24));
  }

  /// The bits of 128 in bf16 and of 1024 in f16: the last of the mantissa
  /// counts 1.
  static constexpr int64_t power128 = 0x4300, power1024 = 0x6400;

  DeviceBuilder &builder;
  bool hasTwo;
  FloatType type;
};

/// The codes of one step.
class CodeOperand {
public:
  CodeOperand(DeviceBuilder &builder, MmaOp op, const AccumulatorLayout &layout,
              Value codes)
      : builder(builder), type(cast<BufferType>(op.getLeft().getType())),
        layout(layout), codes(codes),
        depth(op.getRight().getType().getColumns()),
        unpacker(builder, depth == type.getColumns(),
                 cast<FloatType>(op.getRight().getType().getElementType())) {}

  PackedOperand unpack() {
    loadWords();
    // One lane releases the buffer for all, after products that order none of
    // their reads.
    if (layout.unit == MultiplyUnit::Wgmma)
      createWarpBarrier(builder, builder.getLoc());
    // A word has one step of 16 columns, or two.
    int64_t steps = depth / 16, wordsPerTile = type.getColumns() / 32;
    int64_t stepsPerWord = steps / wordsPerTile;
    PackedOperand left;
    for (int64_t tile = 0; tile < getNumTiles(); ++tile)
      for (int64_t step = 0; step < steps; ++step)
        for (int64_t columnHalf : {0, 1})
          for (int64_t rowHalf : {0, 1}) {
            Value word =
                words[rowHalf][tile * wordsPerTile + step / stepsPerWord];
            left.words.push_back(
                unpacker.unpack(word, step % stepsPerWord * 2 + columnHalf));
          }
    return left;
  }

private:
  /// Tiles of 16 rows of a warp.
  int64_t getNumTiles() const { return layout.rowsPerWarp / 16; }

  /// Loads the thread's words of all tiles and cells, of both rows.
  void loadWords() {
    Value lane = builder.laneIndex();
    Value firstRow = builder.multiply(
        builder.remainder(builder.warpIndex(), layout.warpRows),
        layout.rowsPerWarp / 2);
    Value row = builder.add(firstRow, builder.divide(lane, 4));
    Value chunk = builder.multiply(builder.remainder(lane, 4), 2);
    for (int64_t half : {0, 1}) {
      Value first =
          createPanelAddress(builder, codes, row, builder.add(chunk, half));
      for (int64_t tile = 0; tile < getNumTiles(); ++tile)
        for (int64_t cell = 0; cell < type.getPanels(); ++cell)
          loadWords(half,
                    builder.offset(first, tile * 8 * type.getRowBytes() +
                                              cell * type.getPanelBytes()));
    }
  }
  void loadWords(int64_t half, Value address) {
    Value four =
        builder.load(VectorType::get(4, builder.getI32Type()), address);
    for (int64_t word = 0; word < 4; ++word)
      words[half].push_back(LLVM::ExtractElementOp::create(
          builder, four, builder.constant(word)));
  }

  DeviceBuilder &builder;
  BufferType type;
  const AccumulatorLayout &layout;
  Value codes;
  int64_t depth;
  CodeUnpacker unpacker;
  /// Words of rows l / 4 and of rows l / 4 + 8 of the tiles.
  SmallVector<Value> words[2];
};
} // namespace

PackedOperand parablock::tile::unpackCodes(DeviceBuilder &builder, MmaOp op,
                                           const AccumulatorLayout &layout,
                                           Value codes) {
  return CodeOperand(builder, op, layout, codes).unpack();
}
