//===- Judge.cpp - verdicts and tolerances as C functions -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock-c/Judge.h"

#include "Handles.h"
#include "parablock/Support/Comparer.h"
#include "parablock/Support/SafeTensors.h"
#include "parablock/Support/Tolerances.h"
#include "llvm/Support/FormatVariadic.h"

using namespace parablock;
using llvm::ArrayRef;
using llvm::Error;

static Error judge(const ParablockJudged &judged, char **json) {
  std::optional<ElementType> type = parseElementTypeKeyword(judged.type);
  if (!type)
    return llvm::createStringError(
        llvm::formatv("judge: unknown type '{0}'", judged.type).str());
  ArrayRef<int64_t> shape(judged.shape, judged.rank);
  std::optional<uint64_t> size = countElements(shape);
  if (!size)
    return llvm::createStringError("judge: expected sizes of at least 0, got " +
                                   formatShape(shape));
  if (*size && (!judged.found || !judged.exact))
    return capi::createNullError();
  ArrayRef<double> found(judged.found, *size), exact(judged.exact, *size);
  ErrorFloor floor;
  if (judged.own)
    floor.relL2 = compare(ArrayRef<double>(judged.own, *size), exact).relL2;
  Verdict verdict = parablock::judge("result", {*type, shape, found},
                                     {*type, shape, exact}, {}, floor);
  *json = capi::copyString(
      llvm::formatv("{0}", llvm::json::Value(toJSON(verdict))).str());
  return Error::success();
}

ParablockStatus parablockJudge(ParablockContext *context,
                               const ParablockJudged *judged, char **json) {
  return capi::run(context, {}, [&]() -> Error {
    if (!judged || !json || !judged->type || (judged->rank && !judged->shape))
      return capi::createNullError();
    return judge(*judged, json);
  });
}

double parablockGetBaseTolerance(const char *type) {
  std::optional<ElementType> known =
      type ? parseElementTypeKeyword(type) : std::nullopt;
  return known ? getBaseTolerance(*known) : -1;
}

double parablockGetFloorFactor(void) { return floorFactor; }
