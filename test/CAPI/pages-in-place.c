/* pages-in-place.c - new rows are all that is written where a pool is given for
   what is taken and what is made: pages that have none are write-protected.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

#define _DEFAULT_SOURCE
#include "Model.h"
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

/* 16 rows of 64 numbers of f32 are a page of the system's, too. */
enum { pageBytes = 16 * 64 * 4, numRows = 2, tokens = 3, vocabulary = 97 };

/* Rows of 19 and 5 tokens: new ones go to pages 4 and 1. */
static int64_t lengths[numRows] = {19, 5}, starts[numRows] = {0, 2};
static int64_t table[numRows * 2] = {2, 4, 1, 0};
static const int writtenPages[] = {4, 1};
static int64_t ids[numRows * tokens] = {7, 11, 13, 5, 3, 2};
static int64_t kept[1] = {tokens - 1};

typedef struct Call {
  ParablockTensor inputs[maxTensors], outputs[maxTensors];
  size_t numInputs, numOutputs;
  int64_t poolShape[3];
  float logits[numRows * vocabulary];
} Call;

static const int64_t rowShape[] = {numRows}, idsShape[] = {numRows, tokens},
                     tableShape[] = {numRows, 2}, keptShape[] = {1},
                     logitsShape[] = {numRows, 1, vocabulary};

static ParablockTensor find(const char *name, Call *call) {
  if (strcmp(name, "input_ids") == 0)
    return (ParablockTensor){ids, "i64", 2, idsShape};
  if (strcmp(name, "past_lengths") == 0)
    return (ParablockTensor){lengths, "i64", 1, rowShape};
  if (strcmp(name, "starts") == 0)
    return (ParablockTensor){starts, "i64", 1, rowShape};
  if (strcmp(name, "pages") == 0)
    return (ParablockTensor){table, "i64", 2, tableShape};
  if (strcmp(name, "logits_to_keep") == 0)
    return (ParablockTensor){kept, "i64", 1, keptShape};
  CHECK(strcmp(name, "logits") == 0);
  return (ParablockTensor){call->logits, "f32", 3, logitsShape};
}

static char *drawPool(size_t pages, unsigned *state) {
  float *pool = mmap(NULL, pages * pageBytes, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  CHECK(pool != MAP_FAILED);
  for (size_t i = 0; i < pages * pageBytes / sizeof(float); ++i)
    pool[i] = drawNumber(state);
  return (char *)pool;
}

/* Pools of so many pages, and others for what is made unless `isInPlace`. */
static void fill(const ParablockSignature *signature, size_t pages,
                 int isInPlace, Call *call) {
  unsigned state = 5, others = 9;
  call->poolShape[0] = (int64_t)pages;
  call->poolShape[1] = 16;
  call->poolShape[2] = 64;
  call->numInputs = parablockSignatureGetNumInputs(signature);
  call->numOutputs = parablockSignatureGetNumOutputs(signature);
  for (size_t i = 0; i < call->numInputs; ++i) {
    const char *name = parablockSignatureGetInput(signature, i)->name;
    int isPool = strncmp(name, "past_key.", 9) == 0 ||
                 strncmp(name, "past_value.", 11) == 0;
    call->inputs[i] = isPool ? (ParablockTensor){drawPool(pages, &state), "f32",
                                                 3, call->poolShape}
                             : find(name, call);
  }
  for (size_t i = 0; i < call->numOutputs; ++i) {
    const char *name = parablockSignatureGetOutput(signature, i)->name;
    if (strcmp(name, "logits") == 0) {
      call->outputs[i] = find(name, call);
      continue;
    }
    for (size_t k = 0; k < call->numInputs; ++k)
      if (strcmp(parablockSignatureGetInput(signature, k)->name + 5, name) == 0)
        call->outputs[i] = call->inputs[k];
    if (!isInPlace)
      call->outputs[i].data = drawPool(pages, &others);
  }
}

static void run(ParablockProgram *program, const Call *call) {
  CHECK(parablockProgramRun(program, call->inputs, call->numInputs,
                            call->outputs, call->numOutputs) == 0);
}

/* Leaves only pages with new rows writable, but for `except`. */
static void protect(const Call *call, int except) {
  for (size_t i = 0; i < call->numOutputs; ++i) {
    char *pool = call->outputs[i].data;
    if (pool == (const char *)call->logits)
      continue;
    CHECK(mprotect(pool, call->poolShape[0] * pageBytes, PROT_READ) == 0);
    for (int k = 0; k < 2; ++k)
      if (writtenPages[k] != except)
        CHECK(mprotect(pool + writtenPages[k] * pageBytes, pageBytes,
                       PROT_READ | PROT_WRITE) == 0);
  }
}

/* The signal that ends a run in a process of its own, or 0. */
static int findSignal(ParablockProgram *program, const Call *call, int except) {
  pid_t child = fork();
  CHECK(child >= 0);
  if (child == 0) {
    signal(SIGSEGV, SIG_DFL);
    protect(call, except);
    run(program, call);
    _exit(0);
  }
  int status = 0;
  CHECK(waitpid(child, &status, 0) == child);
  return WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
}

static long findPeakBytes(ParablockProgram *program) {
  char *json = NULL;
  CHECK(parablockProgramReport(program, &json) == 0);
  const char *found = strstr(json, "\"peak_bytes\"");
  CHECK(found != NULL);
  long bytes = strtol(strchr(found, ':') + 1, NULL, 10);
  parablockFree(json);
  return bytes;
}

int main(int argc, char **argv) {
  CHECK(argc == 2);
  ParablockContext *context = parablockContextCreate();
  ParablockModule *module = NULL;
  ParablockSignature *signature = NULL;
  ParablockProgram *program = NULL;
  CHECK(parablockModuleLoad(context, argv[1], &module) == 0);
  CHECK(parablockModuleRunPasses(
            module, "block-add-caches{page-rows=16},block-optimize") == 0);
  CHECK(parablockModuleGetSignature(module, "main", &signature) == 0);
  /* One thread: those of others do not come along where a process forks. */
  ParablockProgramOptions options = {.engine = "cpu", .threads = 1};
  CHECK(parablockProgramCreate(module, "main", &options, &program) == 0);
  Values parameters = {0};
  unsigned state = 1;
  for (size_t i = 0; i < parablockSignatureGetNumParameters(signature); ++i)
    addTensor(&parameters, parablockSignatureGetParameter(signature, i), &state,
              0);
  CHECK(parablockProgramSetParameters(program, parameters.tensors,
                                      parameters.count) == 0);
  static Call elsewhere, inPlace, large;
  fill(signature, 6, 0, &elsewhere);
  fill(signature, 6, 1, &inPlace);
  fill(signature, 600, 1, &large);
  run(program, &elsewhere);
  /* What is written is noticed, in either of the pages. */
  CHECK(findSignal(program, &inPlace, 4) == SIGSEGV);
  CHECK(findSignal(program, &inPlace, 1) == SIGSEGV);
  CHECK(findSignal(program, &inPlace, -1) == 0);
  protect(&inPlace, -1);
  run(program, &inPlace);
  long peak = findPeakBytes(program);
  CHECK(memcmp(inPlace.logits, elsewhere.logits, sizeof inPlace.logits) == 0);
  for (size_t i = 0; i < inPlace.numOutputs; ++i)
    if (inPlace.outputs[i].data != inPlace.logits)
      CHECK(memcmp(inPlace.outputs[i].data, elsewhere.outputs[i].data,
                   6 * pageBytes) == 0);
  /* Nor is a pool copied somewhere else on the way. */
  run(program, &large);
  CHECK(findPeakBytes(program) == peak);
  puts("new rows alone are written");
  parablockProgramDestroy(program);
  parablockSignatureDestroy(signature);
  parablockModuleDestroy(module);
  freeValues(&parameters);
  parablockContextDestroy(context);
  return 0;
}
