//===- TypeRules.h - type rules of ops --------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_IR_TYPERULES_H
#define PARABLOCK_LIB_IR_TYPERULES_H

#include "Signature.h"

namespace parablock::block {

/// Returns the rows of `like`, of another width, and of elements of another
/// type if there is one; null if impossible.
mlir::Type createRows(mlir::Type like, int64_t width, mlir::Type elements = {});

void ruleActivation(Signature &);
void ruleAddBias(Signature &);
void ruleAttention(Signature &);
void ruleBiasSum(Signature &);
void ruleCacheAppend(Signature &);
void ruleClamp(Signature &);
void ruleColumnSums(Signature &);
void ruleCrossEntropy(Signature &);
void ruleCrossEntropyGrad(Signature &);
void ruleDeferredNorm(Signature &);
void ruleDeferredNormGrad(Signature &);
void ruleElementGrad(Signature &);
void ruleEmbedding(Signature &);
void ruleEmbeddingGrad(Signature &);
void ruleExperts(Signature &);
void ruleExpertsGrad(Signature &);
void ruleFoldBias(Signature &);
void ruleFoldGain(Signature &);
void ruleFoldScale(Signature &);
void ruleGate(Signature &);
void ruleHead(Signature &);
void ruleLinear(Signature &);
void ruleLinearSum(Signature &);
void ruleMatrixDots(Signature &);
void ruleMergeStats(Signature &);
void ruleMlp(Signature &);
void ruleMoe(Signature &);
void ruleNorm(Signature &);
void ruleNormGrad(Signature &);
void ruleNormStats(Signature &);
void ruleNormalize(Signature &);
void ruleGroupScales(Signature &);
void ruleEncodeGroups(Signature &);
void ruleDecodeGroups(Signature &);
void ruleOuterUpdate(Signature &);
void rulePartialStats(Signature &);
void rulePatchEmbedding(Signature &);
void rulePatchEmbeddingGrad(Signature &);
void ruleReparam(Signature &);
void ruleResidual(Signature &);
void ruleRope(Signature &);
void ruleRotate(Signature &);
void ruleRouteGrad(Signature &);
void ruleRowDots(Signature &);
void ruleScale(Signature &);
void ruleDropout(Signature &);
void ruleSdpa(Signature &);
void ruleSdpaGrad(Signature &);
void ruleSoftcapGrad(Signature &);
void ruleSplit(Signature &);
void ruleTakeRows(Signature &);
void ruleUnpackWeight(Signature &);
void ruleWeightGrad(Signature &);
void ruleWeightSums(Signature &);

} // namespace parablock::block

#endif // PARABLOCK_LIB_IR_TYPERULES_H
