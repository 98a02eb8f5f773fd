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

} // namespace parablock::block

#endif // PARABLOCK_TRANSFORMS_QUANTIZEDFORMS_H
