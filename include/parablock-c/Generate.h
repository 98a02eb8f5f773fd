//===- Generate.h - sampling and generation -----------------------*- C -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_C_GENERATE_H
#define PARABLOCK_C_GENERATE_H

#include "parablock-c/Program.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The choice of a token, by the filters of transformers, in this order. */
typedef struct ParablockSampling {
  /* 1 for none. */
  double repetitionPenalty;
  /* 0 for the most likely token; later fields are then ignored. */
  double temperature;
  /* 0 for all tokens. */
  int64_t topK;
  /* 1 for all tokens. */
  double topP;
  /* 0 for all tokens. */
  double minP;
} ParablockSampling;

/* Turns the logits of one row into scores whose softmax is the distribution of
   tokens: excluded tokens become minus infinity. `seen` is nonzero for tokens
   that the row contains; it may be null without a penalty. */
PARABLOCK_API ParablockStatus parablockFilterLogits(
    ParablockContext *context, const ParablockSampling *sampling, float *logits,
    size_t vocabulary, const uint8_t *seen);

/* Returns the token that `seed` draws from such scores, as number `step` of row
   `row` (docs/use/Generation.md). */
PARABLOCK_API ParablockStatus parablockChooseToken(
    ParablockContext *context, const ParablockSampling *sampling, uint64_t seed,
    size_t row, size_t step, const float *scores, size_t vocabulary,
    int64_t *token);

typedef struct ParablockGenerationOptions {
  /* The prompt: tokens [rows, width], with `starts` tokens of padding in front
     of each row; null if there is none. */
  const int64_t *ids;
  size_t rows, width;
  const int64_t *starts;
  /* Maximum number of new tokens of each row. */
  int64_t maxNewTokens;
  ParablockSampling sampling;
  uint64_t seed;
  /* Tokens that end a row. */
  const int64_t *stops;
  size_t numStops;
  /* The padding token, also used after the end of a row. */
  int64_t padding;
  /* Maximum number of pages of paged caches, in total; 0 for as many as rows
     need. */
  int64_t poolPages;
} ParablockGenerationOptions;

/* Returns the rows of a ring cache that is read through a window
   of this many tokens: the window and as many tokens of one
   call. */
PARABLOCK_API int64_t parablockCountRingRows(int64_t window);

typedef struct ParablockGeneration ParablockGeneration;

/* Checks the options and allocates memory, for a program of a function that
   block-add-caches made, with dynamic sizes. Pointers in `options` need not
   stay valid, but the program must. A program may have several generations at a
   time. */
PARABLOCK_API ParablockStatus parablockGenerationCreate(
    ParablockProgram *program, const ParablockGenerationOptions *options,
    ParablockGeneration **generation);
PARABLOCK_API void parablockGenerationDestroy(ParablockGeneration *generation);

/* Runs the prompt; must precede the first step. Is called once: where it
   fails, another generation is needed. */
PARABLOCK_API ParablockStatus
parablockGenerationBegin(ParablockGeneration *generation);

/* Runs a step: stores the next token of every row in `tokens`, and in
   `hasEnded` whether it was the last. On the cpu engine a step allocates no
   memory except for growing caches, and reads only the filled part of
   caches. */
PARABLOCK_API ParablockStatus parablockGenerationStep(
    ParablockGeneration *generation, int64_t *tokens, int32_t *hasEnded);

/* Called with the tokens of a step, one of each row; a result other than 0 ends
   generation. */
typedef int32_t (*ParablockTokenHandler)(const int64_t *tokens, size_t rows,
                                         void *userData);

/* Runs to the end, and returns the number of steps. `tokens` has room for
   [maxNewTokens, rows]; `handler` may be null. */
PARABLOCK_API ParablockStatus parablockGenerationRun(
    ParablockGeneration *generation, ParablockTokenHandler handler,
    void *userData, int64_t *tokens, size_t *steps);

#ifdef __cplusplus
}
#endif

#endif /* PARABLOCK_C_GENERATE_H */
