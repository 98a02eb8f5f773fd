//===- SizeWalk.h - forms of values -----------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_RAISE_SIZEWALK_H
#define PARABLOCK_LIB_RAISE_SIZEWALK_H

#include "SizeForms.h"
#include "SizeNeeds.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/DenseMap.h"

namespace parablock::raise {

/// Visits ops in their order. A value without a form is data.
class SizeWalk {
public:
  SizeWalk(SizeNeeds &needs, llvm::ArrayRef<llvm::StringRef> names)
      : needs(needs), names(names), nextSize(names.size()) {}

  void addArgument(mlir::BlockArgument argument,
                   llvm::function_ref<unsigned(unsigned, unsigned)> sizeOf);
  void visit(mlir::Operation *op);

private:
  /// Larger tables are not searched for one number.
  static constexpr int64_t kFewElements = 4096;
  using Loops = llvm::SmallVector<std::optional<Polynomial>>;

  Form get(mlir::Value value) const;
  void set(mlir::Value value, const Form &form) {
    if (!form.isData())
      forms[value] = form;
  }

  void refuse(mlir::Operation *op, const llvm::Twine &what);
  std::string describe(const Form &form) const;
  void refuseForm(const Form &form, const Summary &summary,
                  mlir::Operation *reader);
  /// Records the requirements of a data use of a form in `reader`.
  void use(const Form &form, mlir::Operation *reader);
  /// Refuses a size that is not a polynomial of sizes.
  void requireExact(mlir::Value size, mlir::Operation *reader);

  const Polynomial &getSize(mlir::Value value, unsigned d);
  Polynomial computeSize(mlir::Value value, unsigned d);
  Polynomial toPolynomial(mlir::OpFoldResult size);
  Polynomial makeUnknown();

  std::optional<Form> readConstant(mlir::Operation *op);
  void visitElementwise(mlir::Operation *op);
  void visitUnknown(mlir::Operation *op);
  bool isBroadcast(mlir::Value condition) const;
  bool isOnlyIndex(mlir::arith::SelectOp select);
  void visitApply(mlir::affine::AffineApplyOp apply);
  void visitAssertion(mlir::cf::AssertOp assertion);

  /// True where the op is one that moves elements.
  bool visitTensor(mlir::Operation *op);
  Form moveSlice(mlir::tensor::ExtractSliceOp slice, const Form &source);
  Form moveConcat(mlir::tensor::ConcatOp concat);
  Form moveReshape(mlir::Operation *op, const Form &source);
  Form readElement(mlir::tensor::ExtractOp extracted, const Loops &loops);
  void visitGenerate(mlir::tensor::GenerateOp made);

  void visitLinalg(mlir::linalg::LinalgOp op);
  void visitBody(mlir::Block &block, const Loops &loops);
  void visitBranch(mlir::scf::IfOp branch, const Loops &loops);
  std::optional<Form> countOnes(const Form &form, unsigned loop);
  Form reduce(mlir::linalg::LinalgOp op, unsigned number);

  SizeNeeds &needs;
  llvm::ArrayRef<llvm::StringRef> names;
  unsigned nextSize;
  FormRules rules;
  llvm::DenseMap<mlir::Value, Form> forms;
  /// Sizes of values, by dimension.
  std::map<std::pair<const void *, unsigned>, Polynomial> sizes;
  /// The extents of the loops that are walked.
  const Loops *loops = nullptr;
};

} // namespace parablock::raise

#endif // PARABLOCK_LIB_RAISE_SIZEWALK_H
