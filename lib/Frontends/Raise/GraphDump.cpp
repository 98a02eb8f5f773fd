//===- GraphDump.cpp - prints nodes and refusals --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "GraphDump.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"

using namespace llvm;
using namespace parablock;
using namespace parablock::raise;

static StringRef getName(Kind op) {
  switch (op) {
#define KIND(NAME, TEXT)                                                       \
  case Kind::NAME:                                                             \
    return TEXT;
    KIND(Leaf, "value")
    KIND(Splat, "number")
    KIND(Dense, "literal")
    KIND(Iota, "positions")
    KIND(Add, "add")
    KIND(Mul, "mul")
    KIND(Power, "power")
    KIND(PowerOf, "power_of")
    KIND(DivInt, "div_int")
    KIND(Rem, "rem")
    KIND(Exp, "exp")
    KIND(Log, "log")
    KIND(Tanh, "tanh")
    KIND(Sigmoid, "sigmoid")
    KIND(Erf, "erf")
    KIND(Sin, "sin")
    KIND(Cos, "cos")
    KIND(Abs, "abs")
    KIND(Floor, "floor")
    KIND(ToInt, "to_int")
    KIND(Nearest, "nearest")
    KIND(Max, "max")
    KIND(Min, "min")
    KIND(Equal, "equal")
    KIND(NotEqual, "not_equal")
    KIND(Less, "less")
    KIND(LessEqual, "less_equal")
    KIND(And, "and")
    KIND(Or, "or")
    KIND(Xor, "xor")
    KIND(Select, "select")
    KIND(Round, "round")
    KIND(ReduceSum, "sum")
    KIND(ReduceMax, "maximum")
    KIND(ReduceAnd, "all")
    KIND(ReduceOr, "any")
    KIND(Concat, "concat")
    KIND(Gather, "gather")
    KIND(Update, "update")
    KIND(Order, "order")
    KIND(Linear, "linear")
    KIND(Norm, "norm")
    KIND(Activation, "activation")
    KIND(Clamp, "clamp")
    KIND(Softmax, "softmax")
    KIND(Dropout, "dropout")
    KIND(Rope, "rope")
    KIND(Sdpa, "sdpa")
    KIND(Cache, "cache")
    KIND(Attention, "attention")
    KIND(Mlp, "mlp")
    KIND(Route, "route")
    KIND(Choice, "choice")
    KIND(Experts, "experts")
    KIND(Moe, "moe")
    KIND(Residual, "residual")
    KIND(Scale, "scale")
    KIND(Embedding, "embedding")
    KIND(Head, "head")
    KIND(CrossEntropy, "cross_entropy")
#undef KIND
  }
  return "";
}

namespace {

class GraphPrinter {
public:
  GraphPrinter(raw_ostream &os, const Graph &graph) : os(os), graph(graph) {}
  void print(StringRef name, ArrayRef<Term> roots);

private:
  std::vector<const Node *> findLive(ArrayRef<Term> roots) const;
  void findReaders(ArrayRef<Term> roots);
  void printTerm(const Term &term);
  void printNode(const Node *node);
  void printLocation(const Node *node);
  StringRef getLeftOver(const Node *node) const;
  void printRefusal(const Node *node, const Refusal &refusal);
  void explain(const Node *node, StringRef what);

  raw_ostream &os;
  const Graph &graph;
  /// The readers of a node before steps were grouped, as matchers saw them.
  DenseMap<const Node *, SmallVector<const Node *, 2>> readers;
};

} // namespace

/// Operands before their readers.
std::vector<const Node *> GraphPrinter::findLive(ArrayRef<Term> roots) const {
  llvm::SetVector<const Node *> work;
  for (const Term &root : roots)
    work.insert(graph.getCurrent(root.node));
  for (size_t i = 0; i < work.size(); ++i)
    for (const Term &operand : work[i]->operands)
      work.insert(graph.getCurrent(operand.node));
  std::vector<const Node *> live(work.begin(), work.end());
  llvm::sort(live, [](const Node *a, const Node *b) {
    return getOrigin(a)->id < getOrigin(b)->id;
  });
  return live;
}

void GraphPrinter::findReaders(ArrayRef<Term> roots) {
  llvm::SetVector<const Node *> work;
  for (const Term &root : roots)
    work.insert(root.node);
  for (size_t i = 0; i < work.size(); ++i) {
    const Node *reader = work[i];
    for (const Term &operand : reader->operands) {
      if (!llvm::is_contained(readers[operand.node], reader))
        readers[operand.node].push_back(reader);
      work.insert(operand.node);
    }
  }
}

/// Prints a node, and its layout unless it is the identity: runs of extent and
/// stride, and their start.
void GraphPrinter::printTerm(const Term &term) {
  const Node *node = graph.getCurrent(term.node);
  if (node->op == Kind::Splat) {
    os << format("%g", node->value);
    return;
  }
  if (node->op == Kind::Iota)
    os << "positions";
  else
    os << "%" << getOrigin(node)->id;
  if (term.layout == Layout::identity(node->size))
    return;
  os << "[";
  llvm::interleave(
      term.layout.getDigits(), os,
      [&](Digit digit) { os << digit.extent << ":" << digit.stride; }, " ");
  if (term.layout.getOffset() != 0)
    os << " from " << term.layout.getOffset();
  os << "]";
}

void GraphPrinter::printLocation(const Node *node) {
  if (auto file = node->location ? mlir::Location(node->location)
                                       ->findInstanceOf<mlir::FileLineColLoc>()
                                 : mlir::FileLineColLoc())
    os << "  // " << file.getFilename().getValue() << ":" << file.getLine()
       << ":" << file.getColumn();
}

void GraphPrinter::printNode(const Node *node) {
  os << "%" << getOrigin(node)->id << " = " << getName(node->op);
  if (node->op == Kind::Power || node->op == Kind::Clamp)
    os << format(" %g", node->value);
  os << " ";
  if (node->width > 1 && node->size % node->width == 0)
    os << node->size / node->width << "x" << node->width;
  else
    os << node->size;
  if (node->type)
    os << "x" << node->type;
  if (auto argument = dyn_cast_or_null<mlir::BlockArgument>(node->given))
    os << " argument " << argument.getArgNumber();
  else if (node->given)
    os << " of " << node->given.getDefiningOp()->getName();
  if (!node->operands.empty()) {
    os << " (";
    DenseMap<unsigned, StringRef> names;
    for (auto [role, index] : node->roles)
      names[index] = role;
    for (auto [k, operand] : llvm::enumerate(node->operands)) {
      os << (k ? ", " : "");
      if (StringRef role = names.lookup(k); !role.empty())
        os << role << " ";
      printTerm(operand);
    }
    os << ")";
  }
  if (node->form && node->op != Kind::Dense)
    os << " " << node->form;
  if (!isa_and_nonnull<mlir::BlockArgument>(node->given))
    printLocation(node);
  os << "\n";
}

/// True for a power that divides by the root of something.
static bool isRoot(const Node *node) {
  if (node->op != Kind::Power || node->source != Source::Data)
    return false;
  return node->value == -0.5 || node->value == 0.5;
}

/// Returns the kind of a remaining piece of attention, MLP or
/// norm.
StringRef GraphPrinter::getLeftOver(const Node *node) const {
  if (node->op == Kind::Softmax)
    return "a softmax";
  if (node->op == Kind::Activation)
    return "an activation";
  if (isRoot(node))
    return "a root";
  if (node->op == Kind::Exp && node->source == Source::Data)
    return "an exponential";
  if ((node->op == Kind::Erf || node->op == Kind::Tanh ||
       node->op == Kind::Sigmoid) &&
      node->source == Source::Data)
    return "a function of an activation";
  if (node->op == Kind::Sdpa)
    return "heads without their projections";
  bool isRotation = llvm::any_of(
      graph.explanations.getRefusals(getOrigin(node)),
      [](const Refusal &refusal) {
        return refusal.matcher == "matchRope" && !refusal.found.empty();
      });
  return isRotation ? "a rotation" : "";
}

void GraphPrinter::printRefusal(const Node *node, const Refusal &refusal) {
  os << "    " << refusal.matcher << " at %" << node->id << ": ";
  if (!refusal.found.empty())
    os << "found " << llvm::join(refusal.found, ", ") << "; ";
  os << refusal.why;
  if (refusal.got) {
    os << ", got " << getName(refusal.got->op);
    if (refusal.got->op != Kind::Splat && refusal.got->op != Kind::Iota)
      os << " %" << getOrigin(refusal.got)->id;
    printLocation(refusal.got);
  }
  os << "\n";
}

/// Prints the refusals of matchers at a remaining node and its readers, up to
/// the next recognised piece, one of which should have matched. If some
/// matchers passed steps, those that failed at once are left out.
void GraphPrinter::explain(const Node *node, StringRef what) {
  constexpr size_t kMost = 12;
  os << "not recognised: " << what << ", ";
  printNode(node);
  llvm::SetVector<const Node *> work;
  work.insert(getOrigin(node));
  bool anyClose = false;
  for (size_t i = 0; i < std::min(work.size(), kMost); ++i) {
    const Node *at = work[i];
    anyClose |=
        llvm::any_of(graph.explanations.getRefusals(at),
                     [](const Refusal &refusal) { return refusal.isClose(); });
    auto known = readers.find(at);
    if (known != readers.end() && (i == 0 || !at->isRecognised()))
      work.insert(known->second.begin(), known->second.end());
  }
  for (const Node *at : work)
    for (const Refusal &refusal : graph.explanations.getRefusals(at))
      if (refusal.isClose() || !anyClose)
        printRefusal(at, refusal);
}

void GraphPrinter::print(StringRef name, ArrayRef<Term> roots) {
  findReaders(roots);
  std::vector<const Node *> live = findLive(roots);
  os << "block-raise: @" << name << " as expressions, batch " << graph.batch
     << ", tokens " << graph.tokens << "\n";
  for (const Node *node : live)
    if (node->op != Kind::Splat && node->op != Kind::Iota)
      printNode(node);
  for (const Node *node : live)
    if (StringRef what = getLeftOver(node); !what.empty())
      explain(node, what);
}

void parablock::raise::dumpGraph(raw_ostream &os, const Graph &graph,
                                 StringRef name, ArrayRef<Term> results,
                                 ArrayRef<Term> otherRoots) {
  SmallVector<Term> roots(results);
  roots.append(otherRoots.begin(), otherRoots.end());
  GraphPrinter(os, graph).print(name, roots);
}
