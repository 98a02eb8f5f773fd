/*===- run_package.c - a package from C ---------------------------*- C -*-===*\
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*===----------------------------------------------------------------------===*|
|*                                                                            *|
|* usage: run_package PACKAGE WEIGHTS.safetensors [NAME=SIZE...]              *|
|*                                                                            *|
|* Runs a package three times on inputs that hold zeros and prints the sum of *|
|* the bytes of each result. Compile it with                                  *|
|*   cc run_package.c -lparablock-launch                                      *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

#include "parablock-launch/Launch.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int complain(const pbl_error *error) {
  fprintf(stderr, "error: %s\n", error->message);
  return error->code;
}

/* "seq=17" to a name and a size; the text is cut at the equals sign. */
static int parse_dim(char *text, pbl_dim *dim) {
  char *equals = strchr(text, '=');
  if (!equals)
    return 0;
  *equals = '\0';
  dim->name = text;
  dim->size = strtoll(equals + 1, NULL, 10);
  return 1;
}

/* Gives every input zeros, runs, and looks at every result. */
static int run(pbl_package *package, pbl_session *session) {
  pbl_error error;
  uint32_t count = pbl_package_num_tensors(package);
  for (uint32_t i = 0; i < count; ++i) {
    pbl_tensor tensor = pbl_session_tensor(session, i);
    if (tensor.role != PBL_INPUT)
      continue;
    void *zeros = calloc(1, tensor.bytes);
    pbl_code code = pbl_session_set_input(session, tensor.name, zeros,
                                          tensor.bytes, &error);
    free(zeros);
    if (code != PBL_OK)
      return complain(&error);
  }
  for (int repeat = 0; repeat < 3; ++repeat)
    if (pbl_session_replay(session, NULL, &error) != PBL_OK)
      return complain(&error);
  for (uint32_t i = 0; i < count; ++i) {
    pbl_tensor tensor = pbl_session_tensor(session, i);
    if (tensor.role != PBL_RESULT)
      continue;
    unsigned char *bytes = malloc(tensor.bytes);
    if (pbl_session_get_result(session, tensor.name, bytes, tensor.bytes,
                               &error) != PBL_OK) {
      free(bytes);
      return complain(&error);
    }
    unsigned long sum = 0;
    for (uint64_t at = 0; at < tensor.bytes; ++at)
      sum += bytes[at];
    printf("%s: %s, %llu bytes, sum %lu\n", tensor.name, tensor.dtype,
           (unsigned long long)tensor.bytes, sum);
    free(bytes);
  }
  return 0;
}

int main(int argc, char **argv) {
  pbl_dim dims[8];
  uint32_t num_dims = 0;
  pbl_error error;
  if (argc < 3 || argc > 11) {
    fprintf(stderr, "usage: run_package PACKAGE WEIGHTS [NAME=SIZE...]\n");
    return 1;
  }
  for (int i = 3; i < argc; ++i)
    if (!parse_dim(argv[i], &dims[num_dims++])) {
      fprintf(stderr, "error: expected NAME=SIZE, got '%s'\n", argv[i]);
      return 1;
    }

  pbl_package *package = pbl_package_open(argv[1], &error);
  if (!package)
    return complain(&error);
  pbl_device *device = pbl_device_open(0, &error);
  if (!device)
    return complain(&error);
  pbl_program *program = pbl_program_create(package, device, NULL, &error);
  if (!program)
    return complain(&error);
  if (pbl_program_load_weights(program, argv[2], &error) != PBL_OK)
    return complain(&error);
  pbl_session *session = pbl_session_create(program, dims, num_dims, &error);
  if (!session)
    return complain(&error);

  int code = run(package, session);
  pbl_session_destroy(session);
  pbl_program_destroy(program);
  pbl_device_close(device);
  pbl_package_close(package);
  return code;
}
