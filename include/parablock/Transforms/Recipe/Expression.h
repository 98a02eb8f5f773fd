//===- Expression.h - how a packed tensor is made ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A tensor as a tree of operations over named tensors of a file. The list of
// operations is closed; docs/Recipe.md gives their meaning. Nothing here knows
// MLIR: what applies a recipe need not link it.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_RECIPE_EXPRESSION_H
#define PARABLOCK_RECIPE_EXPRESSION_H

#include "parablock/Support/FloatFormats.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace parablock::recipe {

enum class Operation : uint8_t {
  Source,
  Splat,
  Concat,
  Slice,
  Reshape,
  Transpose,
  Broadcast,
  Convert,
  FoldGain,
  FoldBias,
  FoldScale,
  WeightSums,
  BiasSum,
  Reparam,
  Map
};

/// Functions that `Map` computes of one element, or of two.
enum class Function : uint8_t {
  Add,
  Subtract,
  Multiply,
  Divide,
  Negate,
  Sqrt,
  Rsqrt,
  Reciprocal,
  Exp
};

/// "concat", "fold_gain", ...: how recipes spell it.
llvm::StringRef getOperationName(Operation operation);
std::optional<Operation> parseOperationName(llvm::StringRef name);

/// "add", ...
llvm::StringRef getFunctionName(Function function);
std::optional<Function> parseFunctionName(llvm::StringRef name);
unsigned getNumOperands(Function function);

struct TensorType {
  ElementType element = ElementType::F32;
  llvm::SmallVector<int64_t, 4> shape;

  bool operator==(const TensorType &other) const {
    return element == other.element && shape == other.shape;
  }
  bool operator!=(const TensorType &other) const { return !(*this == other); }
};

/// "bf16 [2, 64]": how types are spelled in messages.
std::string formatType(const TensorType &type);

struct Expression;
using ExpressionPtr = std::shared_ptr<const Expression>;

/// One operation on its operands. Fields that the operation does not have keep
/// their defaults.
struct Expression {
  Operation operation = Operation::Source;
  /// The type of the result.
  TensorType type;
  /// Null for an operand that may be missing and is.
  std::vector<ExpressionPtr> operands;

  std::string source;
  int64_t dim = 0;
  llvm::SmallVector<int64_t, 4> offsets, strides;
  /// For a broadcast, the dimension of the result that each of the operand's
  /// is.
  llvm::SmallVector<int64_t, 4> permutation;
  double value = 0, factor = 1, skip = 1, residual = 1;
  bool onePlus = false;
  Function function = Function::Add;

  /// Sizes of the tree below and with this node; bounded, as recipes are
  /// written and evaluated by recursion.
  unsigned depth = 1, numNodes = 1;
};

inline constexpr unsigned maxDepth = 24;
inline constexpr unsigned maxNodes = 4096;

/// Checks `draft` and completes its type. What the operands do not determine
/// must be there: the type of a source or splat, the shape of a slice, reshape
/// or broadcast, the element type of a conversion, of sums or functions.
llvm::Expected<ExpressionPtr> makeExpression(Expression draft);

/// Calls `visit` for every source in the tree, once per occurrence.
void forEachSource(const Expression &expression,
                   llvm::function_ref<void(const Expression &)> visit);

/// A source is its name, anything else an object.
llvm::json::Value toJSON(const Expression &expression);

/// The type of the tensor of a name, or none where there is no such tensor.
using TypeLookup =
    llvm::function_ref<std::optional<TensorType>(llvm::StringRef)>;

llvm::Expected<ExpressionPtr> parseExpression(const llvm::json::Value &value,
                                              TypeLookup lookup);

/// The element type that getElementTypeKeyword gives that name.
std::optional<ElementType> parseElementTypeKeyword(llvm::StringRef keyword);

/// "dtype" and "shape" of an object.
llvm::Expected<TensorType> parseTensorType(const llvm::json::Object &object);

} // namespace parablock::recipe

#endif // PARABLOCK_RECIPE_EXPRESSION_H
