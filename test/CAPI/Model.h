//===- Model.h - runs a model by the C API on numbers made up -----*- C -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_TEST_CAPI_MODEL_H
#define PARABLOCK_TEST_CAPI_MODEL_H

#include "Check.h"
#include "parablock-c/Program.h"

#include <math.h>
#include <string.h>

enum { maxTensors = 64, maxRank = 4 };

/* The size that stands for every dimension the caller chooses. */
enum { chosenSize = 5 };

typedef struct Values {
  size_t count;
  ParablockTensor tensors[maxTensors];
  int64_t shapes[maxTensors][maxRank];
  size_t elements[maxTensors];
} Values;

static float drawNumber(unsigned *state) {
  *state = *state * 1664525u + 1013904223u;
  return (float)(*state >> 8) / (float)(1 << 24) - 0.4f;
}

/* Memory for a tensor: small numbers, which are f64 if `isExact`, or ids below
   7. */
static void addTensor(Values *values, const ParablockTensorInfo *info,
                      unsigned *state, int isExact) {
  size_t index = values->count++, elements = 1;
  CHECK(index < maxTensors && info->rank <= maxRank);
  for (size_t i = 0; i < info->rank; ++i) {
    values->shapes[index][i] = info->shape[i] < 0 ? chosenSize : info->shape[i];
    elements *= (size_t)values->shapes[index][i];
  }
  void *data = calloc(elements, sizeof(double));
  int isFloat = strcmp(info->type, "f32") == 0;
  for (size_t i = 0; i < elements; ++i) {
    if (isFloat && isExact)
      ((double *)data)[i] = (double)drawNumber(state);
    else if (isFloat)
      ((float *)data)[i] = drawNumber(state);
    else
      ((int64_t *)data)[i] = (int64_t)(i % 7);
  }
  values->elements[index] = elements;
  values->tensors[index] =
      (ParablockTensor){data, isFloat && isExact ? "f64" : info->type,
                        info->rank, values->shapes[index]};
}

static void freeValues(Values *values) {
  for (size_t i = 0; i < values->count; ++i)
    free(values->tensors[i].data);
  values->count = 0;
}

/* Runs @main on one engine and leaves the first output in `output`. */
static inline void runModel(ParablockContext *context, ParablockModule *module,
                            const char *engine, uint32_t threads,
                            Values *output) {
  ParablockSignature *signature = NULL;
  CHECK(parablockModuleGetSignature(module, "main", &signature) == 0);
  unsigned state = 1;
  int isExact = strcmp(engine, "exact") == 0;
  Values inputs = {0}, parameters = {0};
  for (size_t i = 0; i < parablockSignatureGetNumInputs(signature); ++i)
    addTensor(&inputs, parablockSignatureGetInput(signature, i), &state,
              isExact);
  for (size_t i = 0; i < parablockSignatureGetNumParameters(signature); ++i)
    addTensor(&parameters, parablockSignatureGetParameter(signature, i), &state,
              isExact);
  addTensor(output, parablockSignatureGetOutput(signature, 0), &state, isExact);

  ParablockProgramOptions options = {0};
  options.engine = engine;
  options.threads = threads;
  options.parameters = parameters.tensors;
  options.numParameters = parameters.count;
  ParablockProgram *program = NULL;
  if (parablockProgramCreate(module, "main", &options, &program) != 0) {
    fprintf(stderr, "%s\n", parablockContextGetError(context));
    exit(1);
  }
  CHECK(parablockProgramRun(program, inputs.tensors, inputs.count,
                            output->tensors, output->count) == 0);
  parablockProgramDestroy(program);

  /* Parameters that are set later are the same. */
  options.parameters = NULL;
  Values later = {0};
  addTensor(&later, parablockSignatureGetOutput(signature, 0), &state, isExact);
  CHECK(parablockProgramCreate(module, "main", &options, &program) == 0);
  CHECK(parablockProgramRun(program, inputs.tensors, inputs.count,
                            later.tensors, later.count) != 0);
  CHECK(parablockProgramSetParameters(program, parameters.tensors,
                                      parameters.count) == 0);
  CHECK(parablockProgramRun(program, inputs.tensors, inputs.count,
                            later.tensors, later.count) == 0);
  CHECK(memcmp(output->tensors[0].data, later.tensors[0].data,
               output->elements[0] * (isExact ? 8 : 4)) == 0);
  parablockProgramDestroy(program);
  freeValues(&later);
  parablockSignatureDestroy(signature);
  freeValues(&inputs);
  freeValues(&parameters);
}

/* The relative L2 distance of the first tensors, of f32. */
static inline double getDistance(const Values *a, const Values *b) {
  const float *x = a->tensors[0].data, *y = b->tensors[0].data;
  double difference = 0, norm = 0;
  for (size_t i = 0; i < a->elements[0]; ++i) {
    difference += ((double)x[i] - y[i]) * ((double)x[i] - y[i]);
    norm += (double)y[i] * y[i];
  }
  CHECK(norm > 0);
  return sqrt(difference / norm);
}

#endif
