//===- InputDrawing.h - inputs drawn from a seed ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_EXECUTION_INPUTDRAWING_H
#define PARABLOCK_EXECUTION_INPUTDRAWING_H

#include "parablock/Execution/Engine.h"
#include "parablock/Execution/InputFacts.h"

namespace parablock::runner {

/// Draws the tensor of `argument` from `seed`: a function of the seed, the
/// name, the shape and the rule, rounded to the element type. Rules:
///   anything with block.init   by that attribute
///   parameters                 getDefaultWeightRule
///   past_key.N, past_value.N   normal
///   argNN                      normal
///   other float inputs         normal around 0.5: a nonzero mean tests norms
///   lengths                    1 to the number of tokens, one row the maximum
///   past_lengths, starts       from 0, as many as caches have room for
///   cu_seqlens                 from 0, rising to the number of tokens or some
///                              of its last quarter
///   other integers             below the rows of the table they index; 0 or 1
///                              where they index none; about one in eight is
///                              the id that selects no row, if there is one
/// Fails if a length or an id has no legal value.
llvm::Expected<Tensor> drawArgument(const Argument &argument,
                                    llvm::ArrayRef<int64_t> shape,
                                    const InputFact &fact, uint64_t seed);

} // namespace parablock::runner

#endif // PARABLOCK_EXECUTION_INPUTDRAWING_H
