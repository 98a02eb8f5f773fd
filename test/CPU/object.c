/* object.c - runs a model that was compiled into this program.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   The file of the first argument holds, without anything between them, the
   inputs, the weights and the expected outputs, in the order of the header. */

#include "model.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define CHECK(condition)                                                       \
  do {                                                                         \
    if (!(condition)) {                                                        \
      fprintf(stderr, "line %d: expected %s\n", __LINE__, #condition);         \
      exit(1);                                                                 \
    }                                                                          \
  } while (0)

/* Two threads a call: no way to be fast, but one that shows the hook. */
typedef struct Half {
  ParablockRangeBody body;
  void *context;
  int64_t begin, end;
} Half;

static int calls = 0;

static void *runHalf(void *half) {
  Half *work = half;
  work->body(work->context, 1, work->begin, work->end);
  return NULL;
}

static void runOnTwo(ParablockPool *pool, int64_t count, int64_t grain,
                     ParablockRangeBody body, void *context) {
  (void)pool, (void)grain;
  pthread_t thread;
  Half half = {body, context, count / 2, count};
  ++calls;
  CHECK(pthread_create(&thread, NULL, runHalf, &half) == 0);
  body(context, 0, 0, count / 2);
  CHECK(pthread_join(thread, NULL) == 0);
}

/* The next tensor of the file. */
static void *readNext(FILE *file) {
  int64_t bytes = 0;
  CHECK(fread(&bytes, 8, 1, file) == 1);
  void *data = malloc((size_t)bytes);
  CHECK(fread(data, 1, (size_t)bytes, file) == (size_t)bytes);
  return data;
}

static void run(const void *const *inputs, const void *const *weights,
                const float *expected, size_t count, const int64_t *dims,
                ParablockPool *pool) {
  void *packed = aligned_alloc(64, (model_packed_bytes() + 64) & ~63ul);
  size_t bytes = model_workspace_bytes(dims, pool);
  void *workspace = aligned_alloc(64, (bytes + 64) & ~63ul);
  float *output = malloc(count * sizeof(float));
  void *outputs[model_num_outputs] = {output};
  CHECK(model_pack(weights, packed, pool) == 0);
  CHECK(model_main(inputs, weights, packed, outputs, dims, workspace, pool) ==
        0);
  double difference = 0, norm = 0;
  for (size_t i = 0; i < count; ++i) {
    difference += (output[i] - expected[i]) * (output[i] - expected[i]);
    norm += expected[i] * expected[i];
  }
  CHECK(norm > 0);
  printf("%s: error %.1e\n", pool ? "two threads" : "one thread",
         sqrt(difference / norm));
  CHECK(sqrt(difference / norm) < 1e-5);
  free(packed);
  free(workspace);
  free(output);
}

/* Sizes that cannot be are told before anything is read. */
static void checkSizes(void) {
  const int64_t negative[] = {-1, 17}, large[] = {INT64_MAX / 2, 17};
  const int64_t both[] = {(int64_t)1 << 32, (int64_t)1 << 32};
  const int64_t *wrong[] = {negative, large, both};
  for (int i = 0; i < 3; ++i) {
    CHECK(model_workspace_bytes(wrong[i], NULL) == SIZE_MAX);
    CHECK(model_main(NULL, NULL, NULL, NULL, wrong[i], NULL, NULL) == 3);
  }
}

/* Without rows there is nothing to do. */
static void runNothing(const void *const *inputs, const void *const *weights) {
  const int64_t none[][2] = {{0, 17}, {2, 0}, {0, 0}};
  void *packed = aligned_alloc(64, (model_packed_bytes() + 64) & ~63ul);
  CHECK(model_pack(weights, packed, NULL) == 0);
  for (int i = 0; i < 3; ++i) {
    size_t bytes = model_workspace_bytes(none[i], NULL);
    void *workspace = aligned_alloc(64, (bytes + 64) & ~63ul);
    float output = 7;
    void *outputs[model_num_outputs] = {&output};
    CHECK(model_main(inputs, weights, packed, outputs, none[i], workspace,
                     NULL) == 0);
    CHECK(output == 7);
    free(workspace);
  }
  free(packed);
}

int main(int argc, char **argv) {
  CHECK(argc == 2);
  FILE *file = fopen(argv[1], "rb");
  CHECK(file);
  const void *inputs[model_num_inputs], *weights[model_num_weights];
  for (int i = 0; i < model_num_inputs; ++i)
    inputs[i] = readNext(file);
  for (int i = 0; i < model_num_weights; ++i)
    weights[i] = readNext(file);
  const float *expected = readNext(file);
  const int64_t dims[] = {2, 17};
  CHECK(model_num_dims == 2 && model_dim_batch == 0 && model_dim_seq == 1);
  ParablockPool pool = {2, runOnTwo};
  run(inputs, weights, expected, 2 * 17 * 97, dims, NULL);
  run(inputs, weights, expected, 2 * 17 * 97, dims, &pool);
  CHECK(calls > 0);
  checkSizes();
  runNothing(inputs, weights);
  fclose(file);
  return 0;
}
