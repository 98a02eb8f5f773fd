//===- DataFaults.cpp - messages for data that kernels reject -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Support/DataFaults.h"

std::string parablock::describeNanOfRouter(int64_t row,
                                           std::optional<int64_t> expert) {
  std::string place = "in row " + std::to_string(row);
  if (expert)
    return "'block.route' expected logits without NaN, got one for expert " +
           std::to_string(*expert) + " " + place;
  return "'block.route' expected scores without NaN, got one " + place +
         ", of an infinite logit or correction";
}

std::string parablock::describeExpertIndex(bool isOfExperts,
                                           const std::string &index,
                                           int64_t experts, int64_t row,
                                           int64_t slot) {
  std::string text = isOfExperts ? "'block.experts'" : "'block.route_grad'";
  text += " expected indices to be in [0, " + std::to_string(experts) + ")";
  if (isOfExperts)
    text += ", or larger with a weight of 0";
  return text + ", got " + index + " in slot " + std::to_string(slot) +
         " of row " + std::to_string(row);
}
