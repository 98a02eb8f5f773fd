//===- QuantizedForms.h - codes of quantized weights ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_TRANSFORMS_QUANTIZEDFORMS_H
#define PARABLOCK_TRANSFORMS_QUANTIZEDFORMS_H

#include "parablock/Dialect/Block/BlockOps.h"
#include "parablock/Transforms/Passes.h"

namespace parablock::block {

/// The codes of a form, and how many columns share a scale; 0 for the row.
struct CodeLayout {
  CodeForm form;
  int64_t group;
};
CodeLayout getCodeLayout(QuantizedForm form);

/// Returns the largest number that a code of weights represents.
double getLargestNumber(CodeForm form);

/// Returns the scale of numbers with the largest magnitude `largest`.
double getCodeScale(CodeForm form, double largest);

/// Returns the code value nearest to `value`, in units of the scale.
double roundToCode(CodeForm form, double value);

/// Rounds a row of weights to the numbers of its codes.
void roundRow(QuantizedForm form, llvm::MutableArrayRef<double> row);

/// Returns whether `found` has another code than `wanted`, a number of a code
/// whose scale may have been rounded; the next code is farther away.
bool isOtherCode(double found, double wanted);

/// Creates block-quantize, but with codes that the function computes from the
/// parameters that it has.
std::unique_ptr<mlir::Pass>
createBlockQuantizeInPlace(const BlockQuantizeOptions &options);

} // namespace parablock::block

#endif // PARABLOCK_TRANSFORMS_QUANTIZEDFORMS_H
