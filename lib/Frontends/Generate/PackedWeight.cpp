//===- PackedWeight.cpp - unpacks stored codes in IR ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "PackedWeight.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "parablock/Dialect/Block/BlockOps.h"
#include <cmath>

using namespace mlir;
using namespace parablock;
using namespace parablock::generate;
using Kind = PackedSpec::Kind;

/// Returns whether `name` is that of a module, or of one in it; a part "*" of
/// `module` is any part.
static bool isIn(StringRef name, StringRef module) {
  while (!module.empty()) {
    auto [own, others] = module.split('.');
    auto [part, rest] = name.split('.');
    if (own != "*" && own != part)
      return false;
    module = others;
    name = rest;
  }
  return true;
}

bool generate::areStacksPacked(const PackedSpec &spec) {
  return spec.kind == Kind::Fp8Blocks || spec.kind == Kind::MxFp4 ||
         spec.kind == Kind::Compressed;
}

bool generate::isPacked(const PackedSpec &spec, StringRef name) {
  return llvm::none_of(spec.skipped, [&](StringRef skipped) {
    return isIn(name, skipped) || name.ends_with(("." + skipped).str());
  });
}

namespace {
class PackedReader {
public:
  PackedReader(OpBuilder &builder, FunctionArguments &arguments,
               const PackedSpec &spec, StringRef name, int64_t out, int64_t in)
      : builder(builder), arguments(arguments), spec(spec), name(name),
        loc(arguments.getFunction().getLoc()), out(out), in(in),
        groups(spec.group ? llvm::divideCeil(in, spec.group) : 1) {}

  /// Checks that rows and columns are whole words of codes.
  bool checkSizes();
  Value read(double deviation);
  /// Reads the rows of all matrices of a stack, of `parts` matrices each.
  Value readStack(int64_t experts, int64_t parts, double deviation);

private:
  /// Extracts a code from words that are shifted to it.
  using MakeCode = llvm::function_ref<Value(OpBuilder &, ValueRange)>;

  Value getWords(StringRef suffix, ArrayRef<int64_t> shape);
  DrawRule drawScales(double deviation) const;
  block::CodeForm getForm() const;
  Value getScales(double deviation);
  /// Repeats scales [.., blocks, groups] for the rows of their blocks.
  Value repeatScales(Value scales, int64_t matrices);
  Value unpack(int64_t rows, Value codes, Value scales, Value zeros,
               block::CodeForm form);
  Value transpose(Value matrix);
  Value takeColumns(Value matrix, int64_t first);
  Value spread(ValueRange words, int64_t dim, int64_t bits, MakeCode make);
  Value number(OpBuilder &nested, int64_t value);
  Value mask(OpBuilder &nested, Value word);
  Value readBytes(Value words);
  Value readCodes();
  Value readZeros();

  OpBuilder &builder;
  FunctionArguments &arguments;
  const PackedSpec &spec;
  StringRef name;
  Location loc;
  int64_t out, in, groups;
};
} // namespace

bool PackedReader::checkSizes() {
  int64_t count = 32 / spec.bits;
  bool hasRows = spec.kind == Kind::Awq || spec.hasZeros;
  auto check = [&](StringRef what, int64_t size, int64_t multiple) {
    if (size % multiple == 0)
      return true;
    arguments.refuse("expected '" + name + "' of codes of " + Twine(spec.bits) +
                     " bits to have " + what + " in multiples of " +
                     Twine(multiple) + ", got " + Twine(size));
    return false;
  };
  if (spec.kind == Kind::Fp8Blocks ||
      (spec.kind == Kind::Compressed && !spec.arePacked))
    return true;
  if (spec.kind == Kind::MxFp4)
    return check("columns", in, spec.group);
  return check("columns", in, spec.kind == Kind::Awq ? 2 : count) &&
         check("rows", out, hasRows ? count : 1);
}

/// Rules for words, nearly all that 32 bits can be; for pairs of codes and
/// integers, nearly all that 8 bits can be; and for E4M3: of positive numbers
/// alone, since one of the bytes around 0 is no number.
static constexpr DrawRule wordRule{Distribution::Uniform, 0, 1.2e9};
static constexpr DrawRule pairRule{Distribution::Uniform, 0, 70};
static constexpr DrawRule floatRule{Distribution::Uniform, 60, 34};

Value PackedReader::getWords(StringRef suffix, ArrayRef<int64_t> shape) {
  return arguments.getParameter(
      (name + "." + suffix).str(),
      RankedTensorType::get(shape, builder.getI32Type()), wordRule);
}

Value PackedReader::transpose(Value matrix) {
  auto type = cast<RankedTensorType>(matrix.getType());
  Value empty = tensor::EmptyOp::create(
      builder, loc, {type.getDimSize(1), type.getDimSize(0)},
      type.getElementType());
  return linalg::TransposeOp::create(builder, loc, matrix, empty,
                                     ArrayRef<int64_t>{1, 0})
      ->getResult(0);
}

/// Returns every second column.
Value PackedReader::takeColumns(Value matrix, int64_t first) {
  auto type = cast<RankedTensorType>(matrix.getType());
  auto take = [&](ArrayRef<int64_t> numbers) {
    return getAsIndexOpFoldResult(builder.getContext(), numbers);
  };
  return tensor::ExtractSliceOp::create(
      builder, loc, matrix, take({0, first}),
      take({type.getDimSize(0), type.getDimSize(1) / 2}), take({1, 2}));
}

/// Extracts `32 / bits` elements of each word, adjacent along `dim`.
Value PackedReader::spread(ValueRange words, int64_t dim, int64_t bits,
                           MakeCode make) {
  auto type = cast<RankedTensorType>(words[0].getType());
  SmallVector<int64_t> shape(type.getShape());
  shape.insert(shape.begin() + dim + 1, 32 / bits);
  Value empty =
      tensor::EmptyOp::create(builder, loc, shape, builder.getI8Type());
  MLIRContext *context = builder.getContext();
  SmallVector<AffineExpr> read = {getAffineDimExpr(0, context),
                                  getAffineDimExpr(dim == 0 ? 2 : 1, context)};
  SmallVector<AffineMap> maps(words.size(),
                              AffineMap::get(3, 0, read, context));
  maps.push_back(AffineMap::getMultiDimIdentityMap(3, context));
  SmallVector<utils::IteratorType> loops(3, utils::IteratorType::parallel);
  auto body = [&](OpBuilder &nested, Location, ValueRange elements) {
    Value index = arith::IndexCastOp::create(
        nested, loc, nested.getI32Type(),
        linalg::IndexOp::create(nested, loc, dim + 1));
    Value place = index;
    if (spec.kind == Kind::Awq) {
      // Of eight codes, the even ones are in the lower half.
      Value odd = arith::AndIOp::create(nested, loc, index, number(nested, 1));
      Value pair =
          arith::ShRSIOp::create(nested, loc, index, number(nested, 1));
      place = arith::AddIOp::create(
          nested, loc,
          arith::MulIOp::create(nested, loc, odd, number(nested, 4)), pair);
    }
    Value shift =
        arith::MulIOp::create(nested, loc, place, number(nested, bits));
    SmallVector<Value> shifted;
    for (Value word : elements.drop_back())
      shifted.push_back(arith::ShRSIOp::create(nested, loc, word, shift));
    Value code = arith::TruncIOp::create(nested, loc, nested.getI8Type(),
                                         make(nested, shifted));
    linalg::YieldOp::create(nested, loc, code);
  };
  Value codes = linalg::GenericOp::create(builder, loc, empty.getType(), words,
                                          empty, maps, loops, body)
                    .getResult(0);
  SmallVector<ReassociationIndices> join = {{0}, {1, 2}};
  if (dim == 0)
    join = {{0, 1}, {2}};
  return tensor::CollapseShapeOp::create(builder, loc, codes, join);
}

Value PackedReader::number(OpBuilder &nested, int64_t value) {
  return arith::ConstantIntOp::create(nested, loc, value, 32);
}

Value PackedReader::mask(OpBuilder &nested, Value word) {
  return arith::AndIOp::create(nested, loc, word,
                               number(nested, (1 << spec.bits) - 1));
}

/// Splits words along a row: two codes of 4 bits stay together in a byte, and
/// codes of 8 bits, which count from 0, become signed ones.
Value PackedReader::readBytes(Value words) {
  return spread(words, 1, 8, [&](OpBuilder &nested, ValueRange shifted) {
    if (spec.bits == 4)
      return shifted[0];
    return Value(
        arith::XOrIOp::create(nested, loc, shifted[0], number(nested, 0x80)));
  });
}

Value PackedReader::readCodes() {
  int64_t count = 32 / spec.bits;
  if (spec.kind == Kind::Gptq)
    return readBytes(transpose(getWords("qweight", {in / count, out})));
  if (spec.kind == Kind::Awq) {
    Value words = transpose(getWords("qweight", {in, out / count}));
    return spread({takeColumns(words, 0), takeColumns(words, 1)}, 0, spec.bits,
                  [&](OpBuilder &nested, ValueRange shifted) {
                    Value high = arith::ShLIOp::create(nested, loc,
                                                       mask(nested, shifted[1]),
                                                       number(nested, 4));
                    return Value(arith::OrIOp::create(
                        nested, loc, mask(nested, shifted[0]), high));
                  });
  }
  if (spec.arePacked)
    return readBytes(getWords("weight_packed", {out, in / count}));
  return arguments.getParameter(
      (name + ".weight").str(),
      RankedTensorType::get({out, in}, builder.getI8Type()),
      {Distribution::Uniform, 0, 70});
}

/// The zero point of each row and group; none where it is that of the form.
Value PackedReader::readZeros() {
  if (!spec.hasZeros)
    return {};
  int64_t count = 32 / spec.bits;
  if (spec.kind == Kind::Compressed && !spec.arePacked)
    return arguments.getParameter(
        (name + ".weight_zero_point").str(),
        RankedTensorType::get({out, groups}, builder.getI8Type()),
        {Distribution::Uniform, 0, 10});
  Value words = spec.kind == Kind::Compressed
                    ? getWords("weight_zero_point", {out / count, groups})
                    : transpose(getWords("qzeros", {groups, out / count}));
  return spread(
      words, 0, spec.bits, [&](OpBuilder &nested, ValueRange shifted) -> Value {
        Value zero = mask(nested, shifted[0]);
        if (spec.zerosLessOne)
          return arith::AddIOp::create(nested, loc, zero, number(nested, 1));
        if (spec.bits == 8)
          return arith::XOrIOp::create(nested, loc, zero, number(nested, 0x80));
        return zero;
      });
}

DrawRule PackedReader::drawScales(double deviation) const {
  double spread = spec.bits == 4 ? 4.6 : 74;
  return {Distribution::Uniform, deviation / spread, deviation / spread / 6};
}

block::CodeForm PackedReader::getForm() const {
  bool isPair =
      spec.bits == 4 && (spec.kind != Kind::Compressed || spec.arePacked);
  return isPair ? block::CodeForm::Int4 : block::CodeForm::Int8;
}

/// Scales keep their full precision, for any type of the model.
Value PackedReader::getScales(double deviation) {
  bool isByRow = spec.kind == Kind::Compressed;
  SmallVector<int64_t> shape = {groups, out};
  if (isByRow)
    shape = {out, groups};
  Value scales = arguments.getParameter(
      (name + (isByRow ? ".weight_scale" : ".scales")).str(),
      RankedTensorType::get(shape, builder.getF32Type()),
      drawScales(deviation));
  return isByRow ? scales : transpose(scales);
}

Value PackedReader::unpack(int64_t rows, Value codes, Value scales, Value zeros,
                           block::CodeForm form) {
  return block::UnpackWeightOp::create(
      builder, loc,
      RankedTensorType::get({rows, in}, arguments.getElementType()), codes,
      scales, zeros, form, spec.group);
}

Value PackedReader::repeatScales(Value scales, int64_t matrices) {
  int64_t blocks = llvm::divideCeil(out, spec.rows);
  MLIRContext *context = builder.getContext();
  Value empty = tensor::EmptyOp::create(builder, loc,
                                        {matrices, blocks, spec.rows, groups},
                                        builder.getF32Type());
  SmallVector<AffineExpr> read;
  for (unsigned dim : {0, 1, 3})
    read.push_back(getAffineDimExpr(dim, context));
  SmallVector<AffineMap> maps = {AffineMap::get(4, 0, read, context),
                                 AffineMap::getMultiDimIdentityMap(4, context)};
  SmallVector<utils::IteratorType> loops(4, utils::IteratorType::parallel);
  Value repeated =
      linalg::GenericOp::create(
          builder, loc, empty.getType(), scales, empty, maps, loops,
          [&](OpBuilder &nested, Location, ValueRange elements) {
            linalg::YieldOp::create(nested, loc, elements[0]);
          })
          .getResult(0);
  SmallVector<ReassociationIndices> joinBlocks = {{0}, {1, 2}, {3}},
                                    joinRows = {{0, 1}, {2}};
  Value rows =
      tensor::CollapseShapeOp::create(builder, loc, repeated, joinBlocks);
  auto numbers = [&](ArrayRef<int64_t> values) {
    return getAsIndexOpFoldResult(context, values);
  };
  if (blocks * spec.rows != out)
    rows = tensor::ExtractSliceOp::create(
        builder, loc, rows, numbers({0, 0, 0}),
        numbers({matrices, out, groups}), numbers({1, 1, 1}));
  return tensor::CollapseShapeOp::create(builder, loc, rows, joinRows);
}

/// Returns a rule for scales of E4M3.
static DrawRule drawFp8Scales(double deviation) {
  constexpr double spread = 60;
  return {Distribution::Uniform, deviation / spread, deviation / spread / 6};
}

Value PackedReader::readStack(int64_t experts, int64_t parts,
                              double deviation) {
  Type i8 = builder.getI8Type();
  int64_t rows = experts * parts * out;
  SmallVector<ReassociationIndices> join = {{0, 1}, {2}};
  auto get = [&](const Twine &suffix, ArrayRef<int64_t> shape, Type type,
                 const DrawRule &rule) {
    return arguments.getParameter((name + suffix).str(),
                                  RankedTensorType::get(shape, type), rule);
  };
  if (spec.kind == Kind::Fp8Blocks) {
    int64_t blocks = llvm::divideCeil(out, spec.rows);
    Value codes = get("", {experts, parts * out, in}, i8, floatRule);
    Value scales = get("_scale_inv", {experts, parts * blocks, groups},
                       builder.getF32Type(), drawFp8Scales(deviation));
    SmallVector<ReassociationIndices> divide = {{0}, {1, 2}, {3}};
    auto apart = RankedTensorType::get({experts, parts, blocks, groups},
                                       builder.getF32Type());
    scales = tensor::ExpandShapeOp::create(builder, loc, apart, scales, divide);
    SmallVector<ReassociationIndices> together = {{0, 1}, {2}, {3}};
    scales = tensor::CollapseShapeOp::create(builder, loc, scales, together);
    return unpack(
        rows, tensor::CollapseShapeOp::create(builder, loc, codes, join),
        repeatScales(scales, experts * parts), {}, block::CodeForm::Fp8);
  }
  if (spec.kind == Kind::Compressed) {
    int64_t height = parts * out, count = 32 / spec.bits;
    Value codes = spec.arePacked ? get("_packed", {experts, height, in / count},
                                       builder.getI32Type(), wordRule)
                                 : get("", {experts, height, in}, i8, pairRule);
    codes = tensor::CollapseShapeOp::create(builder, loc, codes, join);
    Value scales = get("_scale", {experts, height, groups},
                       builder.getF32Type(), drawScales(deviation));
    return unpack(rows, spec.arePacked ? readBytes(codes) : codes,
                  tensor::CollapseShapeOp::create(builder, loc, scales, join),
                  {}, getForm());
  }
  constexpr int64_t bias = 127, bytes = 16;
  constexpr double spread = 2.9;
  Value codes =
      get("_blocks", {experts, parts * out, groups, bytes}, i8, pairRule);
  DrawRule exponents{Distribution::Uniform,
                     bias + std::round(std::log2(deviation / spread)), 0.5};
  Value scales = get("_scales", {experts, parts * out, groups}, i8, exponents);
  SmallVector<ReassociationIndices> joinBytes = {{0, 1}, {2, 3}};
  return unpack(rows,
                tensor::CollapseShapeOp::create(builder, loc, codes, joinBytes),
                tensor::CollapseShapeOp::create(builder, loc, scales, join), {},
                block::CodeForm::MxFp4);
}

Value PackedReader::read(double deviation) {
  if (spec.kind == Kind::Fp8Blocks) {
    Value codes = arguments.getParameter(
        (name + ".weight").str(),
        RankedTensorType::get({out, in}, builder.getI8Type()), floatRule);
    Value scales = arguments.getParameter(
        (name + ".weight_scale_inv").str(),
        RankedTensorType::get({llvm::divideCeilSigned(out, spec.rows), groups},
                              builder.getF32Type()),
        drawFp8Scales(deviation));
    SmallVector<ReassociationIndices> divide = {{0, 1}, {2}};
    auto type = cast<RankedTensorType>(scales.getType());
    scales = tensor::ExpandShapeOp::create(
        builder, loc, type.clone({1, type.getDimSize(0), groups}), scales,
        divide);
    return unpack(out, codes, repeatScales(scales, 1), {},
                  block::CodeForm::Fp8);
  }
  Value codes = readCodes(), zeros = readZeros();
  return unpack(out, codes, getScales(deviation), zeros, getForm());
}

Value generate::readPackedMatrix(OpBuilder &builder,
                                 FunctionArguments &arguments,
                                 const PackedSpec &spec, StringRef name,
                                 int64_t out, int64_t in, double deviation) {
  PackedReader reader(builder, arguments, spec, name, out, in);
  if (reader.checkSizes())
    return reader.read(deviation);
  // A placeholder of that size, so that building can continue.
  return tensor::EmptyOp::create(builder, arguments.getFunction().getLoc(),
                                 {out, in}, arguments.getElementType());
}

Value generate::readPackedStack(OpBuilder &builder,
                                FunctionArguments &arguments,
                                const PackedSpec &spec, StringRef name,
                                StackShape shape, double deviation) {
  Location loc = arguments.getFunction().getLoc();
  int64_t out = shape.out * shape.parts;
  auto type = RankedTensorType::get({shape.experts, out, shape.in},
                                    arguments.getElementType());
  PackedReader reader(builder, arguments, spec, name, shape.out, shape.in);
  bool hasZeros = spec.kind == Kind::Compressed && spec.hasZeros;
  if (hasZeros)
    arguments.refuse("expected '" + name +
                     "' of experts to have symmetric codes, got zero points");
  if (hasZeros || !reader.checkSizes())
    return tensor::EmptyOp::create(builder, loc, type.getShape(),
                                   type.getElementType());
  SmallVector<ReassociationIndices> groups = {{0, 1}, {2}};
  return tensor::ExpandShapeOp::create(
      builder, loc, type,
      reader.readStack(shape.experts, shape.parts, deviation), groups);
}
