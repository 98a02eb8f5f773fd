//===- Graph.h - a function as real-number expressions ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// This graph gives the many spellings of TOSA, linalg and arith a single form.
// A node is a list of elements, computed by one operation from elements of its
// operands; a term is a node read through a layout. There are no reshapes,
// transpositions, broadcasts or slices (they are layouts), no casts between
// wide float types, no subtraction, division or roots (they are sums, products
// and powers), and equal nodes exist once. Elements are real numbers: rounding
// to a 16-bit type is a separate operation. Boolean and integer values are
// numbers too.
//
// Nodes are immutable. Larger pieces are recognised when the node that
// completes them is created: readers of that node get the piece instead.
// Grouping of steps also replaces nodes by new ones. The rules that recognise
// pieces belong to the layer above.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_RAISE_GRAPH_H
#define PARABLOCK_LIB_RAISE_GRAPH_H

#include "Explanations.h"
#include "Layout.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Value.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include <map>
#include <memory>
#include <vector>

namespace parablock::raise {

enum class Kind {
  // An argument of the function.
  Leaf,
  Splat,
  Dense,
  Iota,
  // Element by element; Power has its exponent in `value`.
  Add,
  Mul,
  Power,
  PowerOf,
  DivInt,
  Rem,
  Exp,
  Log,
  Tanh,
  Sigmoid,
  Erf,
  Sin,
  Cos,
  Abs,
  Floor,
  ToInt,
  Nearest,
  Max,
  Min,
  Equal,
  NotEqual,
  Less,
  LessEqual,
  And,
  Or,
  Xor,
  Select,
  Round,
  // Over `width` neighbouring elements of the operand each.
  ReduceSum,
  ReduceMax,
  ReduceAnd,
  ReduceOr,
  // Parts concatenated along the middle one of three dimensions; `width` is the
  // innermost one, `extents` are the sizes of the parts.
  Concat,
  // Rows of `width` elements of operand 0, chosen by operand 1.
  Gather,
  // Rows of `width` elements of operand 0, with those starting at number
  // operand 2 replaced by operand 1; `extents` are the number of such groups of
  // rows, their rows and those of operand 1.
  Update,
  // The positions of the elements of operand 0 from the smallest to the
  // largest, of equal ones the first.
  Order,
  // Recognised pieces: see Recognise.h.
  Linear,
  Norm,
  Activation,
  Clamp,
  Softmax,
  Dropout,
  Rope,
  Sdpa,
  Cache,
  Attention,
  Mlp,
  Route,
  Choice,
  Experts,
  Moe,
  Residual,
  Scale,
  Embedding,
  Head,
  CrossEntropy,
};

/// The values that elements depend on.
enum class Source { Constant, Weight, Data };

struct Node;

struct Term {
  const Node *node = nullptr;
  Layout layout;
  Term() = default;
  Term(const Node *node, Layout layout)
      : node(node), layout(std::move(layout)) {}
  Term(NoMatch) {}
  explicit operator bool() const { return node; }
  bool operator==(const Term &other) const {
    return node == other.node && layout == other.layout;
  }
  int64_t getSize() const { return layout.getSize(); }
};

struct Node {
  Kind op = Kind::Leaf;
  unsigned id = 0;
  int64_t size = 0;
  llvm::SmallVector<Term, 3> operands;
  Source source = Source::Data;
  /// An argument that is taken for data by its leading size alone.
  bool isGuessed = false;
  /// The float type that elements are rounded to, or null: none.
  mlir::Type type;
  double value = 0;
  /// Elements of a row, where the operation has rows.
  int64_t width = 0;
  /// More numbers and the structured attribute of a recognised piece.
  llvm::SmallVector<int64_t, 4> extents;
  mlir::Attribute form;
  /// The form of dropout of a piece with a seed; null where nothing is dropped.
  mlir::Attribute dropout;
  /// The positions that a rotation is by, from its elements.
  Layout positions;
  /// Optional operands of a recognised piece, by name.
  llvm::SmallVector<std::pair<llvm::StringRef, unsigned>, 4> roles;
  /// The value of the function that a leaf or a literal is.
  mlir::Value given;
  /// The operation that was read when the node was made.
  mlir::LocationAttr location;
  /// The node that this one replaced when steps were grouped, or null.
  const Node *origin = nullptr;
  /// The elements of a constant node, computed from its operands and cached.
  mutable std::shared_ptr<std::vector<double>> numbers;

  bool isRecognised() const { return op >= Kind::Linear; }
  bool isElementwise() const { return op >= Kind::Add && op <= Kind::Round; }
  /// The optional operand `role`, or a null term.
  Term getRole(llvm::StringRef role) const;
  void addRole(llvm::StringRef role, Term term);
};

/// The value of the function that holds a node's elements, and how.
struct Home {
  mlir::Value value;
  Layout layout;
};

class Graph {
public:
  /// Knowledge of nodes on the floors above.
  struct Rules {
    /// Returns an equivalent of an elementwise node before it is created, or a
    /// null term.
    Term (*simplify)(Graph &graph, Kind op, llvm::ArrayRef<Term> operands,
                     double value);
    /// Returns the piece that a new node completes, or a null term.
    Term (*recognise)(Graph &graph, const Node *node);
  };
  Graph(mlir::MLIRContext *context, const Rules &rules, mlir::Location location)
      : context(context), location(location), rules(rules) {}

  /// The batch of the function's input, and the number of tokens.
  int64_t batch = 1, tokens = 1;
  /// The input is an image; its number of tokens is unknown.
  bool isOfImages = false;
  /// Largest difference between a function and the activation it is recognised
  /// as.
  double nearActivations = 0;
  /// Numbers are those of f64 constants, not the shortest ones equal in f32.
  bool exactNumbers = false;
  /// True if pieces must match another function with other sizes.
  bool hasOpenSizes = false;
  /// True if pieces may change rows of padding: no result must have anything of
  /// these in real rows.
  bool changesPadding = false;
  /// The lengths whose rows of padding pieces have changed.
  llvm::DenseSet<const Node *> paddedBy;
  mlir::MLIRContext *context;
  /// The operation that is being read.
  mlir::Location location;

  /// Things that looked like a piece and are none.
  Explanations explanations;
  /// Records a candidate that becomes a remark.
  NoMatch miss(llvm::StringRef kind, Reason reason, const llvm::Twine &detail,
               const Term &got = {});
  /// Records a step that the current matcher passed, and why it fails.
  void found(llvm::StringLiteral step) { explanations.found(step); }
  NoMatch wanted(const llvm::Twine &what, const Term &got = {}) {
    return explanations.giveUp("wanted " + what, got.node);
  }

  Term splat(double value, int64_t size);
  /// Returns a value that is not looked into; for an argument, `isGuessed`
  /// marks data identified by its type alone.
  Term leaf(mlir::Value value, Source source, bool isGuessed = false);
  Term dense(mlir::Value value, mlir::ElementsAttr elements);
  /// The numbers that `positions` maps to.
  Term iota(const Layout &positions);

  Term elementwise(Kind op, llvm::ArrayRef<Term> operands, double value = 0);
  Term add(const Term &a, const Term &b);
  Term multiply(const Term &a, const Term &b);
  Term scale(const Term &a, double factor);
  Term power(const Term &a, double exponent);
  Term ceil(const Term &a);
  Term round(const Term &a, mlir::Type type);
  /// Over the fastest `width` positions of `operand`.
  Term reduce(Kind op, const Term &operand, int64_t width);
  Term concat(llvm::ArrayRef<Term> parts, int64_t outer,
              llvm::ArrayRef<int64_t> sizes, int64_t inner);
  Term gather(const Term &table, const Term &rows, int64_t width);
  /// Returns a recognised piece, or the node that `node` describes.
  Term make(Node node);

  /// Returns `term` read through `layout`, or a null term if that is not a
  /// layout; reads a part of a concatenation directly if possible.
  Term read(const Term &term, const Layout &layout);
  /// Operand `k` of an elementwise node that is read as `term`.
  Term getOperand(const Term &term, unsigned k);

  /// Returns all nodes, operands first.
  std::vector<const Node *> getNodes() const;

  /// Records that `value` holds the elements of a node, unless another one
  /// does.
  void setHome(const Node *node, mlir::Value value, const Layout &layout);
  /// Returns the value that holds a node's elements, or null.
  const Home *getHome(const Node *node) const;

  /// Marks a softmax that weights values, which is no longer a candidate.
  void attend(const Node *softmax) { attended.insert(softmax); }
  bool isAttended(const Node *softmax) const {
    return attended.contains(softmax);
  }

  /// Notes the softmax whose weights an sdpa sums values with: a term that has
  /// the row of each element of the sdpa.
  void noteWeights(const Node *sdpa, const Term &rows) {
    weightsOf[sdpa] = rows;
  }
  /// Returns that term, or a null one.
  Term getWeights(const Node *sdpa) const { return weightsOf.lookup(sdpa); }

  /// Leaves a recognised piece as the operations that the function has for it.
  void leaveAsIs(const Node *piece) { left.insert(piece); }
  bool isLeftAsIs(const Node *piece) const { return left.contains(piece); }

  /// Replaces `node` by `piece`, which has its elements, and returns the stored
  /// piece.
  const Node *supersede(const Node *node, Node piece);
  /// Adds a piece with the weights and data of `node` but other elements: it
  /// has no counterpart in the function.
  const Node *addVariant(const Node *node, Node piece);
  /// Returns the current replacement of `node`.
  const Node *getCurrent(const Node *node) const;
  Term getCurrent(const Term &term) const {
    return {getCurrent(term.node), term.layout};
  }

private:
  const Node *keep(Node node);
  Term canonical(Kind op, llvm::ArrayRef<Term> operands, double value);
  Term joinParts(llvm::ArrayRef<Term> parts, int64_t outer, int64_t row);
  Term concatOnce(llvm::ArrayRef<Term> parts, int64_t outer,
                  llvm::ArrayRef<int64_t> sizes, int64_t inner);
  Term joinRuns(llvm::ArrayRef<Term> parts, int64_t outer,
                llvm::ArrayRef<int64_t> sizes, int64_t inner);

  Rules rules;
  std::vector<std::unique_ptr<const Node>> nodes;
  /// The terms for readers of a node: the node, or the piece that it
  /// completes.
  std::map<std::vector<int64_t>, Term> known;
  llvm::DenseMap<const Node *, Home> homes;
  llvm::DenseMap<const Node *, Term> weightsOf;
  llvm::DenseSet<const Node *> attended, left;
  llvm::DenseMap<const Node *, const Node *> successors;
};

/// Returns the node of the function that `node` replaced.
inline const Node *getOrigin(const Node *node) {
  return node->origin ? node->origin : node;
}

/// Returns whether the numbers fit a constant of the function, which is f32:
/// excess precision is kept in attributes alone.
bool canEmit(const Graph &graph, llvm::ArrayRef<double> numbers);

/// The value of an elementwise operation on numbers.
double apply(Kind op, llvm::ArrayRef<double> operands, double value);
/// The number of a float type that is next to `value`.
double roundNumber(double value, mlir::Type type);
/// Returns whether elements are of a type already: values that are moved or
/// chosen remain as they are.
bool hasType(const Node *node, mlir::Type type, unsigned depth = 0);

/// Returns the elements of a node that depends on constants alone, or null if
/// there are too many.
const std::vector<double> *evaluate(const Node *node);
/// The element at a position of a constant term.
std::optional<double> evaluateAt(const Term &term, int64_t position);
/// Calls `see` with the numbers that a constant term reads, in any order,
/// repeated ones once; returns whether all were known and `see` returned true.
bool forEachNumber(const Term &term, llvm::function_ref<bool(double)> see);
/// Appends all numbers of a constant term, in reading order; fails if they are
/// unknown.
bool readNumbers(const Term &term, std::vector<double> &out);
/// Returns the number that all elements equal, if the node is a splat.
std::optional<double> getSplat(const Term &term);

} // namespace parablock::raise

#endif // PARABLOCK_LIB_RAISE_GRAPH_H
