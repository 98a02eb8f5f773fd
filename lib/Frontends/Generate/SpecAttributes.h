//===- SpecAttributes.h - specs as attributes of the dialect ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_GENERATE_SPECATTRIBUTES_H
#define PARABLOCK_LIB_GENERATE_SPECATTRIBUTES_H

#include "parablock/Frontends/Generate/LayerSpec.h"

namespace parablock::generate {

block::NormAttr getNormAttr(mlir::MLIRContext *context, const NormSpec &norm);
block::ScoresAttr getScoresAttr(mlir::MLIRContext *context,
                                const ScoresSpec &scores);

block::RoutingAttr getRoutingAttr(mlir::MLIRContext *context,
                                  const ExpertsSpec &spec);
block::ExpertsAttr getExpertsAttr(mlir::MLIRContext *context,
                                  const ExpertsSpec &spec);

/// Null where the spec is absent.
block::RopeAttr getRopeAttr(mlir::MLIRContext *context,
                            const std::optional<RopeSpec> &rope);
block::QkNormAttr getQkNormAttr(mlir::MLIRContext *context,
                                const std::optional<QkNormSpec> &norm);
block::BucketsAttr getBucketsAttr(mlir::MLIRContext *context,
                                  const std::optional<BucketsSpec> &buckets);

} // namespace parablock::generate

#endif // PARABLOCK_LIB_GENERATE_SPECATTRIBUTES_H
