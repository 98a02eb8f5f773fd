//===- PackedWeight.cpp - unpacks stored codes in IR ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "PackedWeight.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "parablock/Dialect/Block/BlockOps.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::generate;
using Kind = PackedSpec::Kind;

bool generate::isPacked(const PackedSpec &spec, StringRef name) {
  return llvm::none_of(spec.skipped, [&](StringRef skipped) {
    return name == skipped || name.ends_with(("." + skipped).str());
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

private:
  /// Extracts a code from words that are shifted to it.
  using MakeCode = llvm::function_ref<Value(OpBuilder &, ValueRange)>;

  Value getWords(StringRef suffix, ArrayRef<int64_t> shape);
  Value getScales(double deviation);
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
  if (spec.kind == Kind::Compressed && !spec.arePacked)
    return true;
  return check("columns", in, spec.kind == Kind::Awq ? 2 : count) &&
         check("rows", out, hasRows ? count : 1);
}

Value PackedReader::getWords(StringRef suffix, ArrayRef<int64_t> shape) {
  // Nearly all that 32 bits can be.
  constexpr DrawRule rule{Distribution::Uniform, 0, 1.2e9};
  return arguments.getParameter(
      (name + "." + suffix).str(),
      RankedTensorType::get(shape, builder.getI32Type()), rule);
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

/// Scales keep their full precision, for any type of the model.
Value PackedReader::getScales(double deviation) {
  double spread = spec.bits == 4 ? 4.6 : 74;
  DrawRule rule{Distribution::Uniform, deviation / spread,
                deviation / spread / 6};
  bool isByRow = spec.kind == Kind::Compressed;
  SmallVector<int64_t> shape = {groups, out};
  if (isByRow)
    shape = {out, groups};
  Value scales = arguments.getParameter(
      (name + (isByRow ? ".weight_scale" : ".scales")).str(),
      RankedTensorType::get(shape, builder.getF32Type()), rule);
  return isByRow ? scales : transpose(scales);
}

Value PackedReader::read(double deviation) {
  Value codes = readCodes(), zeros = readZeros();
  bool isPair =
      spec.bits == 4 && (spec.kind != Kind::Compressed || spec.arePacked);
  return block::UnpackWeightOp::create(
      builder, loc,
      RankedTensorType::get({out, in}, arguments.getElementType()), codes,
      getScales(deviation), zeros,
      isPair ? block::CodeForm::Int4 : block::CodeForm::Int8, spec.group);
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
