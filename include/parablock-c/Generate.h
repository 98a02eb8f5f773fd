//===- Generate.h - tokens, one after the other -------------------*- C -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_C_GENERATE_H
#define PARABLOCK_C_GENERATE_H

#include "parablock-c/Program.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How a token is chosen, by filters as transformers has them, in this order. */
typedef struct ParablockSampling {
  /* 1 for none. */
  double repetitionPenalty;
  /* 0 for the likeliest token; what follows is of no meaning then. */
  double temperature;
  /* 0 for all tokens. */
  int64_t topK;
  /* 1 for all tokens. */
  double topP;
  /* 0 for all tokens. */
  double minP;
} ParablockSampling;

/* Makes of the logits of one row the scores whose softmax tokens are drawn
   from: those that are out become minus infinity. `seen` is not 0 for tokens
   that the row has already; it may be null without a penalty. */
PARABLOCK_API ParablockStatus parablockFilterLogits(
    ParablockContext *context, const ParablockSampling *sampling, float *logits,
    size_t vocabulary, const uint8_t *seen);

/* The token that `seed` chooses of such scores as number `step` of row `row`
   (docs/use/Generation.md). */
PARABLOCK_API ParablockStatus parablockChooseToken(
    ParablockContext *context, const ParablockSampling *sampling, uint64_t seed,
    size_t row, size_t step, const float *scores, size_t vocabulary,
    int64_t *token);

typedef struct ParablockGenerationOptions {
  /* The prompt: tokens [rows, width], `starts` of which are padding in front of
     each row; null where none are. */
  const int64_t *ids;
  size_t rows, width;
  const int64_t *starts;
  /* New tokens of each row, at most. */
  int64_t maxNewTokens;
  ParablockSampling sampling;
  uint64_t seed;
  /* Tokens that end a row. */
  const int64_t *stops;
  size_t numStops;
  /* The token that stands where there is none: behind the end of a row. */
  int64_t padding;
  /* Pages that caches in pages may take, all of them together; 0 for as many as
     rows come to need. */
  int64_t poolPages;
} ParablockGenerationOptions;

/* Rows of a cache that is seen through a window of so many tokens, which are
   enough for any number of them: beyond the window so many may come in one
   call. */
PARABLOCK_API int64_t parablockCountRingRows(int64_t window);

typedef struct ParablockGeneration ParablockGeneration;

/* Checks all of it and takes memory, for a program of a function that
   block-add-caches made, whose sizes are open. Nothing that `options` points to
   has to stay, but the program has to. A program may have several at a time. */
PARABLOCK_API ParablockStatus parablockGenerationCreate(
    ParablockProgram *program, const ParablockGenerationOptions *options,
    ParablockGeneration **generation);
PARABLOCK_API void parablockGenerationDestroy(ParablockGeneration *generation);

/* Runs the prompt; before the first step. */
PARABLOCK_API ParablockStatus
parablockGenerationBegin(ParablockGeneration *generation);

/* Does a step: `tokens` takes the next one of every row, and `hasEnded` says
   whether that was the last. On the cpu engine a step takes no memory of the
   system's, but for longer caches, and looks at what these hold alone. */
PARABLOCK_API ParablockStatus parablockGenerationStep(
    ParablockGeneration *generation, int64_t *tokens, int32_t *hasEnded);

/* Sees the tokens of a step, one of each row; ends generation if it returns
   anything but 0. */
typedef int32_t (*ParablockTokenHandler)(const int64_t *tokens, size_t rows,
                                         void *userData);

/* Does all of it, and says how many steps that were. `tokens` has room for
   [maxNewTokens, rows]; `handler` may be null. */
PARABLOCK_API ParablockStatus parablockGenerationRun(
    ParablockGeneration *generation, ParablockTokenHandler handler,
    void *userData, int64_t *tokens, size_t *steps);

#ifdef __cplusplus
}
#endif

#endif /* PARABLOCK_C_GENERATE_H */
