//===- TensorEmitter.h - interface of emitters ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Every step of level 2 is defined once, by the operations below; an emitter
// for each upstream dialect implements them.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_CONVERSION_BLOCKTOUPSTREAM_TENSOREMITTER_H
#define PARABLOCK_LIB_CONVERSION_BLOCKTOUPSTREAM_TENSOREMITTER_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"

namespace parablock {

/// One size of a tensor: a number, or that of a dimension of another tensor.
struct Size {
  Size(int64_t fixed) : fixed(fixed) {}
  /// Returns dimension `dim` of `source`, a number if it is static.
  Size(mlir::Value source, unsigned dim)
      : fixed(mlir::cast<mlir::RankedTensorType>(source.getType())
                  .getDimSize(dim)),
        source(source), dim(dim) {}

  bool isFixed() const { return !mlir::ShapedType::isDynamic(fixed); }

  int64_t fixed;
  mlir::Value source;
  unsigned dim = 0;
};

enum class Unary {
  Negate,
  Abs,
  Exp,
  Sqrt,
  Rsqrt,
  Tanh,
  Erf,
  Sigmoid,
  Sin,
  Cos,
  Not
};
enum class Binary {
  Add,
  Subtract,
  Multiply,
  Divide,
  Maximum,
  Minimum,
  And,
  Equal,
  Greater,
  GreaterEqual
};
enum class Reduction { Sum, Max, All };

/// Returns whether the result is a truth value.
inline bool isComparison(Binary kind) {
  return kind == Binary::Equal || kind == Binary::Greater ||
         kind == Binary::GreaterEqual;
}

class TensorEmitter {
public:
  TensorEmitter(mlir::OpBuilder &builder, mlir::Location loc)
      : builder(builder), loc(loc) {}
  virtual ~TensorEmitter() = default;

  // Elementwise: operands have one rank, and sizes of 1 count for any size.
  virtual mlir::Value unary(Unary kind, mlir::Value input) = 0;
  virtual mlir::Value binary(Binary kind, mlir::Value a, mlir::Value b) = 0;
  /// Emits `kind` with one number for all elements on the right.
  virtual mlir::Value binary(Binary kind, mlir::Value a, double b) = 0;
  virtual mlir::Value select(mlir::Value condition, mlir::Value a,
                             double otherwise) = 0;
  virtual mlir::Value cast(mlir::Value input, mlir::Type element) = 0;

  /// The dimension stays, with size 1.
  virtual mlir::Value reduce(Reduction kind, mlir::Value input,
                             unsigned dim) = 0;
  /// Emits `[N, M, K]` times `[N, K, P]`, or both without N, accumulated and
  /// returned in f32.
  virtual mlir::Value matmul(mlir::Value a, mlir::Value b) = 0;
  /// Row `indices[..]` of `table [R, C]`, so `[.., C]`.
  virtual mlir::Value gatherRows(mlir::Value table, mlir::Value indices) = 0;

  virtual mlir::Value transpose(mlir::Value input,
                                llvm::ArrayRef<int64_t> permutation) = 0;
  /// Dimension `dim` becomes dimensions of these sizes.
  virtual mlir::Value split(mlir::Value input, unsigned dim,
                            llvm::ArrayRef<Size> sizes) = 0;
  /// `count` dimensions from `first` on become one.
  virtual mlir::Value merge(mlir::Value input, unsigned first,
                            unsigned count) = 0;
  /// Repeats a dimension of size 1.
  virtual mlir::Value repeat(mlir::Value input, unsigned dim, Size size) = 0;
  virtual mlir::Value slice(mlir::Value input, unsigned dim, int64_t offset,
                            int64_t size) = 0;
  virtual mlir::Value concat(llvm::ArrayRef<mlir::Value> inputs,
                             unsigned dim) = 0;

  virtual mlir::Value constant(mlir::DenseElementsAttr value) = 0;
  /// 0, 1, 2, .. in i32; none where the level needs a size that is a number.
  virtual mlir::FailureOr<mlir::Value> iota(Size size) = 0;

  // Defined by the operations above.

  /// Converts any float or integer type to f32.
  mlir::Value toF32(mlir::Value input) {
    return cast(input, builder.getF32Type());
  }
  /// A vector of f32 numbers, as a tensor of `shape`.
  mlir::Value constant(llvm::ArrayRef<int64_t> shape,
                       llvm::ArrayRef<double> values);
  /// `[C]` as `[1, .., 1, C]` with `rank` dimensions.
  mlir::Value asRow(mlir::Value vector, unsigned rank);
  mlir::Value add(mlir::Value a, mlir::Value b) {
    return binary(Binary::Add, a, b);
  }
  mlir::Value subtract(mlir::Value a, mlir::Value b) {
    return binary(Binary::Subtract, a, b);
  }
  mlir::Value multiply(mlir::Value a, mlir::Value b) {
    return binary(Binary::Multiply, a, b);
  }
  mlir::Value scale(mlir::Value a, double factor) {
    return factor == 1 ? a : binary(Binary::Multiply, a, factor);
  }

  static mlir::RankedTensorType getType(mlir::Value value) {
    return mlir::cast<mlir::RankedTensorType>(value.getType());
  }
  static unsigned getRank(mlir::Value value) {
    return getType(value).getRank();
  }

  mlir::OpBuilder &builder;
  const mlir::Location loc;

protected:
  /// The shape of an elementwise op on operands of one rank.
  static llvm::SmallVector<int64_t>
  broadcastShapes(llvm::ArrayRef<mlir::Value> operands);
  /// The shape after `split` and `merge`.
  static llvm::SmallVector<int64_t> splitShape(mlir::Value input, unsigned dim,
                                               llvm::ArrayRef<Size> sizes);
  static llvm::SmallVector<int64_t> mergeShape(mlir::Value input,
                                               unsigned first, unsigned count);
  static llvm::SmallVector<int64_t>
  concatShape(llvm::ArrayRef<mlir::Value> inputs, unsigned dim);
  /// `value` as an attribute of a float or integer type.
  mlir::TypedAttr getNumber(mlir::Type type, double value);
};

} // namespace parablock

#endif // PARABLOCK_LIB_CONVERSION_BLOCKTOUPSTREAM_TENSOREMITTER_H
