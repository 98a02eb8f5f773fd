//===- MultiplyCodes.cpp - products of codes unpacked in registers --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A lane loads 16 bytes of codes of each of its two rows of a cell and turns
// them, two at a time, into numbers of the right operand's type, exactly. These
// are the left operand of a product.
//
// Integers are placed in the mantissas of numbers that begin as a power of two;
// subtracting that, with the zero point, leaves bytes from -128 to 127, or half
// bytes from 0 to 15. Floats are placed with their exponents as the lowest bits
// of the type's; a power of two moves them to their place, also subnormal ones.
//
//===----------------------------------------------------------------------===//

#include "Multiply.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include <cmath>

using namespace mlir;
using namespace parablock::tile;

namespace {
/// Turns words of codes into pairs of numbers.
class CodeUnpacker {
public:
  CodeUnpacker(DeviceBuilder &builder, Codes codes, FloatType type)
      : builder(builder), codes(codes), type(type) {}

  /// Returns the numbers of two neighbouring columns, as the bits of a word:
  /// those of pair `pair` of the bytes of `word`, or of byte `pair` if a byte
  /// has two codes. `offset` is what `createOffset` returns.
  Value unpack(Value word, int64_t pair, Value offset) {
    Value numbers;
    switch (codes) {
    case Codes::Int8:
      numbers = unpackBytes(word, pair, offset);
      break;
    case Codes::Int4:
      numbers = unpackHalves(word, pair, offset);
      break;
    case Codes::MxFp4:
      numbers = unpackHalfFloats(word, pair);
      break;
    case Codes::Fp8:
      numbers = unpackFloats(word, pair);
      break;
    }
    return LLVM::BitcastOp::create(builder, builder.getI32Type(), numbers);
  }

  /// Returns what is added to two placed numbers: `zero`, an f32 or none, is
  /// their zero point.
  Value createOffset(Value zero) {
    if (codes == Codes::MxFp4 || codes == Codes::Fp8)
      return {};
    double low = 0, high = 0;
    if (codes == Codes::Int4) {
      // The high code is divided after it was placed.
      low = isBF16() ? -128 : -1024;
      high = isBF16() ? -16 : -64;
      if (!zero) {
        low -= 8;
        high -= 8;
      }
    } else if (!isBF16()) {
      low = high = -1152;
    }
    if (!zero)
      return splat(low, high);
    Type f32 = builder.getF32Type();
    Value pair =
        LLVM::PoisonOp::create(builder, VectorType::get(2, f32)).getResult();
    double places[] = {low, high};
    for (auto [i, place] : llvm::enumerate(places)) {
      Value first =
          arith::ConstantOp::create(builder, builder.getFloatAttr(f32, place));
      pair = LLVM::InsertElementOp::create(
          builder, pair, arith::SubFOp::create(builder, first, zero),
          builder.constant(i));
    }
    return LLVM::FPTruncOp::create(builder, VectorType::get(2, type), pair);
  }

  /// Returns whether codes may be no numbers.
  bool hasNaN() const { return codes == Codes::Fp8; }
  /// Returns a word whose highest bits of bytes are set where `word` has codes
  /// that are no numbers: all bits but the sign are.
  Value findNaN(Value word) {
    Value magnitudes =
        arith::AndIOp::create(builder, word, builder.constant(0x7f7f7f7f));
    return builder.add(magnitudes, 0x01010101);
  }

private:
  bool isBF16() const { return type.isBF16(); }

  /// Selects four bytes: 0 to 3 are those of `low`.
  Value permute(Value low, Value high, int64_t selector) {
    return NVVM::PermuteOp::create(builder, builder.getI32Type(), low, high,
                                   builder.constant(selector),
                                   NVVM::PermuteMode::DEFAULT);
  }
  Value mask(Value word, int64_t bits) {
    return arith::AndIOp::create(builder, word, builder.constant(bits));
  }
  Value toPair(Value bits) {
    return LLVM::BitcastOp::create(builder, VectorType::get(2, type), bits);
  }
  /// Returns the bits of `word` in `bits`, as mantissas of numbers that begin
  /// as `power`.
  Value place(Value word, int64_t bits, int64_t power) {
    return toPair(arith::OrIOp::create(builder, mask(word, bits),
                                       builder.constant(power << 16 | power)));
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
  Value unpackBytes(Value word, int64_t pair, Value offset) {
    int64_t selector = 0x4040 | 2 * pair | (2 * pair + 1) << 8;
    if (!isBF16()) {
      Value turned = builder.exclusiveOr(word, builder.constant(0x80808080));
      Value bits = permute(turned, builder.constant(0x64646464), selector);
      return LLVM::FAddOp::create(builder, toPair(bits), offset);
    }
    Value bytes = permute(word, builder.constant(0), selector);
    Value numbers = place(bytes, 0x007f007f, power128);
    Value signs = place(bytes, 0x00800080, power128);
    Value signedNumbers = fma(signs, splat(-1, -1), numbers);
    // Without a zero point, there is nothing to add.
    if (offset.getDefiningOp<arith::ConstantOp>())
      return signedNumbers;
    return fma(signedNumbers, splat(1, 1), offset);
  }

  /// The low four bits are a number as they are; the high four count 16 times
  /// in f16, and 8 times in bf16, where the byte is shifted by one bit.
  Value unpackHalves(Value word, int64_t pair, Value offset) {
    int64_t selector = pair << 12 | pair << 4 | pair;
    if (!isBF16()) {
      Value bytes = permute(word, word, selector | pair << 8);
      return fma(place(bytes, 0x00f0000f, power1024), splat(1, 1.0 / 16),
                 offset);
    }
    Value shifted = arith::ShRUIOp::create(builder, word, builder.constant(1));
    Value bytes = permute(word, shifted, selector | (4 + pair) << 8);
    return fma(place(bytes, 0x0078000f, power128), splat(1, 1.0 / 8), offset);
  }

  /// Returns the floats that the highest bits of each half are: a sign,
  /// `exponentBits` and `mantissaBits`.
  Value moveFloats(Value halves, int64_t exponentBits, int64_t mantissaBits) {
    int64_t ownExponent = isBF16() ? 8 : 5, ownMantissa = 15 - ownExponent;
    int64_t width = exponentBits + mantissaBits;
    int64_t shift = ownExponent - exponentBits;
    int64_t bits = ((1 << width) - 1) << (ownMantissa - mantissaBits);
    Value moved =
        mask(arith::ShRUIOp::create(builder, halves, builder.constant(shift)),
             bits << 16 | bits);
    Value numbers =
        toPair(arith::OrIOp::create(builder, mask(halves, 0x80008000), moved));
    int64_t bias = (1 << (ownExponent - 1)) - (1 << (exponentBits - 1));
    double power = std::ldexp(1.0, bias);
    return fma(numbers, splat(power, power), splat(-0.0, -0.0));
  }
  Value unpackFloats(Value word, int64_t pair) {
    // Zeros below each byte.
    int64_t selector = 0x0404 | 2 * pair << 4 | (2 * pair + 1) << 12;
    return moveFloats(permute(word, builder.constant(0), selector),
                      /*exponentBits=*/4, /*mantissaBits=*/3);
  }
  Value unpackHalfFloats(Value word, int64_t pair) {
    // The low code is moved to the high half of its byte.
    Value low = arith::ShLIOp::create(builder, word, builder.constant(4));
    int64_t selector = pair << 12 | pair << 8 | (4 + pair) << 4 | (4 + pair);
    return moveFloats(permute(word, low, selector), /*exponentBits=*/2,
                      /*mantissaBits=*/1);
  }

  /// The bits of 128 in bf16 and of 1024 in f16: the last of the mantissa
  /// counts 1.
  static constexpr int64_t power128 = 0x4300, power1024 = 0x6400;

  DeviceBuilder &builder;
  Codes codes;
  FloatType type;
};

/// The codes of one step.
class CodeOperand {
public:
  CodeOperand(DeviceBuilder &builder, MmaCodesOp op,
              const AccumulatorLayout &layout, Value codes)
      : builder(builder), type(op.getLeft().getType()), layout(layout),
        codes(codes), depth(op.getRight().getType().getColumns()),
        unpacker(builder, op.getCodes(),
                 cast<FloatType>(op.getRight().getType().getElementType())) {}

  /// Loads the thread's words.
  void load() {
    loadWords();
    // One lane releases the buffer for all, after products that order none of
    // their reads.
    if (layout.unit == MultiplyUnit::Wgmma)
      createWarpBarrier(builder, builder.getLoc());
  }

  /// Unpacks parts `first` to below `end` of `parts` of the depth. `zeros` has
  /// those of the thread's rows, for each part.
  PackedOperand unpack(int64_t first, int64_t end, int64_t parts,
                       ArrayRef<SmallVector<Value>> zeros) {
    int64_t perPart = depth / 16 / parts, firstStep = first * perPart;
    int64_t steps = end * perPart - firstStep;
    PackedOperand left;
    left.words.resize(getNumTiles() * steps * 4);
    for (int64_t part = first; part < end; ++part)
      for (int64_t tile = 0; tile < getNumTiles(); ++tile)
        for (int64_t rowHalf : {0, 1}) {
          int64_t place =
              (tile * steps + part * perPart - firstStep) * 4 + rowHalf;
          unpackRow(MutableArrayRef(left.words).drop_front(place), tile,
                    rowHalf, part * perPart, perPart,
                    zeros.empty() ? Value() : zeros[part][2 * tile + rowHalf]);
        }
    return left;
  }

private:
  /// Tiles of 16 rows of a warp.
  int64_t getNumTiles() const { return layout.rowsPerWarp / 16; }

  /// Unpacks `count` steps of a row of the thread into every second word.
  void unpackRow(MutableArrayRef<Value> left, int64_t tile, int64_t rowHalf,
                 int64_t firstStep, int64_t count, Value zero) {
    // A word has one step of 16 columns, or two.
    int64_t wordsPerTile = type.getColumns() / 32;
    int64_t stepsPerWord = depth / 16 / wordsPerTile;
    Value offset = unpacker.createOffset(zero), found;
    for (int64_t i = 0; i < count; ++i) {
      int64_t step = firstStep + i;
      Value word = words[rowHalf][tile * wordsPerTile + step / stepsPerWord];
      if (unpacker.hasNaN()) {
        Value own = unpacker.findNaN(word);
        found = found ? arith::OrIOp::create(builder, found, own) : own;
      }
      for (int64_t columnHalf : {0, 1})
        left[4 * i + 2 * columnHalf] =
            unpacker.unpack(word, step % stepsPerWord * 2 + columnHalf, offset);
    }
    if (found)
      left.front() = replaceNaN(found, left.front());
  }

  /// A row with a code that is no number has a sum that is none, whichever
  /// column it is in.
  Value replaceNaN(Value found, Value word) {
    Value bits =
        arith::AndIOp::create(builder, found, builder.constant(0x80808080));
    Value isNaN =
        builder.compare(arith::CmpIPredicate::ne, bits, builder.constant(0));
    return builder.select(isNaN, builder.constant(0x7fff7fff), word);
  }

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

/// Returns the values of the thread's rows, of each of `values`.
static SmallVector<SmallVector<Value>> unpackEach(DeviceBuilder &builder,
                                                  ValueRange values) {
  SmallVector<SmallVector<Value>> rows;
  for (Value value : values)
    rows.push_back(builder.unpack(value));
  return rows;
}

namespace {
struct LowerMmaCodes final : public ProductPattern<MmaCodesOp> {
  using ProductPattern::ProductPattern;

private:
  Value create(DeviceBuilder &builder, MmaCodesOp op, OpAdaptor adaptor,
               const AccumulatorLayout &layout) const final {
    BufferType right = op.getRight().getType();
    CodeOperand codes(builder, op, layout, adaptor.getLeft());
    codes.load();
    SmallVector<SmallVector<Value>> zeros =
        unpackEach(builder, adaptor.getZeros());
    auto unpack = [&](int64_t first, int64_t end) {
      return codes.unpack(first, end, op.getParts(), zeros);
    };
    Product product{};
    product.left = PackedOperand();
    product.right = {right, adaptor.getRight(), /*isDepthFirst=*/false};
    product.accumulator = adaptor.getAccumulator();
    product.depth = right.getColumns();
    product.columns = op.getAccumulator().getType().getColumns();
    if (!op.getScales().empty())
      return createScaledSum(builder, product, layout, unpack,
                             unpackEach(builder, adaptor.getScales()));
    product.left = unpack(0, op.getParts());
    // The registers of the codes are written again in the next step.
    return layout.unit == MultiplyUnit::Mma
               ? createMmaProduct(builder, product, layout)
               : createWgmmaSum(builder, product);
  }

  /// Adds the sums of parts, times the scales of their rows.
  static Value createScaledSum(DeviceBuilder &builder, Product product,
                               const AccumulatorLayout &layout,
                               UnpackParts unpack,
                               ArrayRef<SmallVector<Value>> scales) {
    Type type = product.accumulator.getType();
    SmallVector<Value> all = builder.unpack(product.accumulator);
    product.accumulator = LLVM::ZeroOp::create(builder, type);
    product.isFirst = true;
    auto finish = [&](int64_t part, ArrayRef<Value> sums) {
      for (int64_t row = 0, e = layout.rowOffsets.size(); row < e; ++row)
        for (int64_t column = 0, e = layout.columnOffsets.size(); column < e;
             ++column)
          for (int64_t i = 0; i < layout.width; ++i) {
            int64_t element = layout.getElement(row, column, i);
            all[element] = math::FmaOp::create(builder, sums[element],
                                               scales[part][row], all[element]);
          }
    };
    auto parts = static_cast<int64_t>(scales.size());
    if (layout.unit == MultiplyUnit::Mma) {
      createMmaParts(builder, product, layout, parts, unpack, finish);
    } else {
      // More sums and codes would leave room for fewer CTAs.
      constexpr int64_t mostSums = 8;
      int64_t together =
          std::max<int64_t>(1, mostSums / static_cast<int64_t>(all.size()));
      createWgmmaParts(builder, product, parts, together, unpack, finish);
    }
    return builder.pack(type, all);
  }
};
} // namespace

void parablock::tile::addCodePatterns(TilePatterns &patterns) {
  patterns.add<LowerMmaCodes>();
}
