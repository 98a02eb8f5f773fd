/* threads.c - two contexts in two threads share nothing.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

#include "Model.h"

#include <pthread.h>

static const char *path;

static void *work(void *result) {
  ParablockContext *context = parablockContextCreate();
  ParablockModule *module = NULL;
  CHECK(parablockModuleLoad(context, path, &module) == 0);
  CHECK(parablockModuleRunPasses(module, "block-optimize{chip=cpu}") == 0);
  CHECK(parablockModuleRunPasses(module, "block-nonsense") != 0);
  runModel(context, module, "cpu", 2, result);
  parablockModuleDestroy(module);
  parablockContextDestroy(context);
  return NULL;
}

int main(int argc, char **argv) {
  CHECK(argc == 2);
  path = argv[1];
  Values results[2] = {{0}, {0}};
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i)
    CHECK(pthread_create(&threads[i], NULL, work, &results[i]) == 0);
  for (int i = 0; i < 2; ++i)
    CHECK(pthread_join(threads[i], NULL) == 0);
  CHECK(getDistance(&results[0], &results[1]) == 0);
  freeValues(&results[0]);
  freeValues(&results[1]);
  puts("the same numbers twice");
  return 0;
}
