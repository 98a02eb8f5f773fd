/* generate.c - rows of tokens that go on, beside whole calls for all of them.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

#include "parablock-c/Generate.h"
#include "Model.h"

enum { numRows = 2, width = 5, most = 12, vocabulary = 97 };

/* The first row has two tokens of padding in front. */
static const int64_t prompt[numRows * width] = {0, 0, 7, 11, 13,
                                                5, 3, 2, 19, 23};
static const int64_t starts[numRows] = {2, 0};

/* What counts allocations, where it was loaded before everything else. */
uint64_t parablock_count_allocations(void) __attribute__((weak));

typedef struct Loaded {
  ParablockProgram *program;
  /* Has the words that tensors of parameters point to. */
  ParablockSignature *signature;
  Values parameters;
} Loaded;

static void load(const char *path, const char *passes, Loaded *loaded,
                 ParablockContext *context) {
  ParablockModule *module = NULL;
  CHECK(parablockModuleLoad(context, path, &module) == 0);
  CHECK(parablockModuleRunPasses(module, passes) == 0);
  CHECK(parablockModuleGetSignature(module, "main", &loaded->signature) == 0);
  ParablockSignature *signature = loaded->signature;
  unsigned state = 1;
  for (size_t i = 0; i < parablockSignatureGetNumParameters(signature); ++i)
    addTensor(&loaded->parameters, parablockSignatureGetParameter(signature, i),
              &state, 0);
  ParablockProgramOptions options = {.engine = "cpu", .threads = 2};
  CHECK(parablockProgramCreate(module, "main", &options, &loaded->program) ==
        0);
  parablockModuleDestroy(module);
}

static void setParameters(Loaded *loaded) {
  CHECK(parablockProgramSetParameters(loaded->program,
                                      loaded->parameters.tensors,
                                      loaded->parameters.count) == 0);
}

static void destroy(Loaded *loaded) {
  parablockProgramDestroy(loaded->program);
  parablockSignatureDestroy(loaded->signature);
  freeValues(&loaded->parameters);
}

static ParablockGenerationOptions makeOptions(void) {
  ParablockGenerationOptions options = {0};
  options.ids = prompt;
  options.rows = numRows;
  options.width = width;
  options.starts = starts;
  options.maxNewTokens = most;
  options.sampling = (ParablockSampling){1, 0, 0, 1, 0};
  return options;
}

/* The best token behind a row, of a call for all of it; those that the row has
   are worth a third. */
static int64_t findNext(ParablockProgram *plain, const int64_t *row,
                        int64_t count) {
  static float logits[(width + most) * vocabulary];
  int64_t shape[] = {1, count}, wide[] = {1, count, vocabulary};
  ParablockTensor ids = {(void *)row, "i64", 2, shape};
  ParablockTensor output = {logits, "f32", 3, wide};
  CHECK(parablockProgramRun(plain, &ids, 1, &output, 1) == 0);
  const float *last = logits + (count - 1) * vocabulary;
  int64_t best = 0;
  float highest = -INFINITY;
  for (int64_t token = 0; token < vocabulary; ++token) {
    float worth = last[token];
    for (int64_t i = 0; i < count; ++i)
      if (row[i] == token) {
        worth = worth < 0 ? worth * 3 : worth / 3;
        break;
      }
    best = worth > highest ? token : best;
    highest = worth > highest ? worth : highest;
  }
  return best;
}

static ParablockGeneration *create(ParablockProgram *program,
                                   const ParablockGenerationOptions *options) {
  ParablockGeneration *generation = NULL;
  CHECK(parablockGenerationCreate(program, options, &generation) == 0);
  return generation;
}

static void checkTokens(ParablockProgram *plain, ParablockProgram *cached) {
  ParablockGenerationOptions options = makeOptions();
  options.sampling.repetitionPenalty = 3;
  ParablockGeneration *generation = create(cached, &options);
  int64_t tokens[most * numRows];
  size_t steps = 0, different = 0;
  CHECK(parablockGenerationRun(generation, NULL, NULL, tokens, &steps) == 0);
  CHECK(steps == most);
  parablockGenerationDestroy(generation);
  for (int row = 0; row < numRows; ++row) {
    int64_t all[width + most], count = 0;
    for (int64_t i = starts[row]; i < width; ++i)
      all[count++] = prompt[row * width + i];
    for (int step = 0; step < most; ++step) {
      int64_t next = tokens[step * numRows + row];
      CHECK(next == findNext(plain, all, count));
      different += step > 0 && next != all[count - 1];
      all[count++] = next;
    }
  }
  CHECK(different > most / 2);
}

typedef struct Seen {
  size_t steps;
  int64_t tokens[most * numRows];
} Seen;

static int32_t takeThree(const int64_t *tokens, size_t rows, void *userData) {
  Seen *seen = userData;
  CHECK(rows == numRows);
  memcpy(seen->tokens + seen->steps * rows, tokens, rows * sizeof(int64_t));
  return ++seen->steps == 3;
}

static void checkHandler(ParablockProgram *program) {
  ParablockGenerationOptions options = makeOptions();
  options.sampling = (ParablockSampling){1.2, 0.8, 9, 0.9, 0.01};
  options.seed = 17;
  ParablockGeneration *generation = create(program, &options);
  int64_t tokens[most * numRows];
  Seen seen = {0};
  size_t steps = 0;
  CHECK(parablockGenerationRun(generation, takeThree, &seen, tokens, &steps) ==
        0);
  CHECK(steps == 3 && seen.steps == 3);
  CHECK(memcmp(seen.tokens, tokens, 3 * numRows * sizeof(int64_t)) == 0);
  parablockGenerationDestroy(generation);
}

/* Steps take no memory of the system's; a first one finds out what sizes of a
   step mean. */
static void countAllocations(ParablockProgram *program, double temperature) {
  ParablockGenerationOptions options = makeOptions();
  options.sampling = (ParablockSampling){1.2, temperature, 9, 0.9, 0.01};
  ParablockGeneration *generation = create(program, &options);
  int64_t tokens[numRows];
  int32_t hasEnded = 0;
  uint64_t before = 0;
  CHECK(parablockGenerationBegin(generation) == 0);
  for (int step = 0; !hasEnded; ++step) {
    if (step == 2)
      before = parablock_count_allocations();
    CHECK(parablockGenerationStep(generation, tokens, &hasEnded) == 0);
  }
  printf("%d allocations in %d steps\n",
         (int)(parablock_count_allocations() - before), most - 2);
  parablockGenerationDestroy(generation);
}

static int says(const ParablockContext *context, const char *part) {
  if (strstr(parablockContextGetError(context), part))
    return 1;
  fprintf(stderr, "said: %s\n", parablockContextGetError(context));
  return 0;
}

static void checkFaults(ParablockContext *context, ParablockProgram *plain,
                        ParablockProgram *cached) {
  ParablockGenerationOptions options = makeOptions();
  ParablockGeneration *generation = NULL;
  CHECK(parablockGenerationCreate(NULL, &options, &generation) ==
        ParablockBadInput);
  CHECK(parablockGenerationCreate(cached, NULL, &generation) ==
        ParablockBadInput);
  CHECK(says(context, "null"));
  CHECK(parablockGenerationCreate(plain, &options, &generation) ==
        ParablockBadInput);
  CHECK(says(context, "generation: expected a function as block-add-caches "
                      "makes it, got one without 'past_lengths'"));
  options.rows = (size_t)1 << 60;
  CHECK(parablockGenerationCreate(cached, &options, &generation) ==
        ParablockBadInput);
  CHECK(says(context, "ids: the prompt is too large"));
  options.rows = numRows;
  options.numStops = 1;
  CHECK(parablockGenerationCreate(cached, &options, &generation) ==
        ParablockBadInput);
  CHECK(says(context, "null"));
  options.numStops = 0;
  options.maxNewTokens = 65;
  CHECK(parablockGenerationCreate(cached, &options, &generation) ==
        ParablockBadInput);
  CHECK(says(context, "expected at most 64 tokens, which is what the model has "
                      "positions for, got 69"));
  CHECK(generation == NULL);
  CHECK(parablockGenerationBegin(NULL) == ParablockBadInput);
  CHECK(parablockGenerationStep(NULL, NULL, NULL) == ParablockBadInput);
  options.maxNewTokens = most;
  generation = create(cached, &options);
  CHECK(parablockGenerationBegin(generation) == 0);
  CHECK(parablockGenerationStep(generation, NULL, NULL) == ParablockBadInput);
  CHECK(says(context, "null"));
  parablockGenerationDestroy(generation);
  parablockGenerationDestroy(NULL);
}

/* Caches in pages give the same tokens, bit for bit, in as many pages as rows
   need at most, and one less is an error. */
static void checkPages(ParablockContext *context, ParablockProgram *cached,
                       ParablockProgram *paged) {
  ParablockGenerationOptions options = makeOptions();
  options.sampling = (ParablockSampling){1.2, 2, 0, 1, 0};
  options.seed = 23;
  int64_t wanted[most * numRows], found[most * numRows];
  size_t steps = 0;
  ParablockGeneration *generation = create(cached, &options);
  CHECK(parablockGenerationRun(generation, NULL, NULL, wanted, &steps) == 0);
  parablockGenerationDestroy(generation);
  /* Pages of 4 for 16 tokens, two rows of them; the fourth is one too many. */
  const int64_t pools[] = {0, 8, 7};
  for (int i = 0; i < 3; ++i) {
    options.poolPages = pools[i];
    memset(found, 0, sizeof found);
    generation = create(paged, &options);
    ParablockStatus status =
        parablockGenerationRun(generation, NULL, NULL, found, &steps);
    parablockGenerationDestroy(generation);
    CHECK((status == 0) == (pools[i] != 7));
    if (status == 0)
      CHECK(steps == most && memcmp(found, wanted, sizeof found) == 0);
  }
  CHECK(says(context,
             "pool_pages: expected room for 2 more pages of 4 tokens, for 2 "
             "rows of 13 tokens, got 7 pages, 6 of which are held"));
  CHECK(parablockGenerationCreate(cached, &options, &generation) ==
        ParablockBadInput);
  CHECK(says(context,
             "pool_pages: expected caches in pages, got some in one piece"));
}

/* What a token is chosen of may be anybody's. */
static void checkSingleTokens(ParablockContext *context) {
  ParablockSampling sampling = {1, 1, 2, 1, 0};
  float logits[] = {1, 3, 2, 0};
  int64_t token = -1;
  CHECK(parablockFilterLogits(context, &sampling, logits, 4, NULL) == 0);
  CHECK(isinf(logits[0]) && isinf(logits[3]) && logits[2] == 2);
  CHECK(parablockChooseToken(context, &sampling, 1, 0, 0, logits, 4, &token) ==
        0);
  CHECK(token == 1 || token == 2);
  sampling.repetitionPenalty = 2;
  CHECK(parablockFilterLogits(context, &sampling, logits, 4, NULL) ==
        ParablockBadInput);
  CHECK(says(context, "null"));
  sampling.repetitionPenalty = -2;
  CHECK(parablockChooseToken(context, &sampling, 1, 0, 0, logits, 4, &token) ==
        ParablockBadInput);
  CHECK(says(context, "repetition_penalty: expected a number from 0 on, "
                      "got -2"));
  CHECK(parablockFilterLogits(NULL, &sampling, logits, 4, NULL) ==
        ParablockBadInput);
  CHECK(parablockChooseToken(NULL, &sampling, 1, 0, 0, logits, 4, &token) ==
        ParablockBadInput);
}

int main(int argc, char **argv) {
  CHECK(argc == 2);
  ParablockContext *context = parablockContextCreate();
  Loaded plain = {0}, cached = {0}, paged = {0};
  load(argv[1], "block-optimize", &plain, context);
  load(argv[1], "block-add-caches{rings},block-optimize", &cached, context);
  load(argv[1], "block-add-caches{page-rows=4},block-optimize", &paged,
       context);
  ParablockGenerationOptions options = makeOptions();
  ParablockGeneration *none = NULL;
  CHECK(parablockGenerationCreate(cached.program, &options, &none) ==
        ParablockBadInput);
  CHECK(says(context, "the program has no parameters yet"));
  setParameters(&plain);
  setParameters(&cached);
  setParameters(&paged);
  if (parablock_count_allocations) {
    countAllocations(cached.program, 0);
    countAllocations(cached.program, 0.8);
    countAllocations(paged.program, 0.8);
  } else {
    checkTokens(plain.program, cached.program);
    checkHandler(cached.program);
    checkFaults(context, plain.program, cached.program);
    checkPages(context, cached.program, paged.program);
    checkSingleTokens(context);
    puts("tokens are those of whole calls");
  }
  destroy(&plain);
  destroy(&cached);
  destroy(&paged);
  parablockContextDestroy(context);
  return 0;
}
