/*===- generate.c - tokens on a GPU from C ------------------------*- C -*-===*\
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*===----------------------------------------------------------------------===*|
|*                                                                            *|
|* usage: generate PACKAGE WEIGHTS COUNT [OPTION=VALUE...] TOKEN...           *|
|*                                                                            *|
|* Prints up to COUNT tokens that follow the prompt, each as soon as it is    *|
|* there. The package is of a function with caches (block-add-caches) of open *|
|* sizes; a tokeniser turns text into tokens and back. Compile it with        *|
|*   cc generate.c -lparablock-launch                                         *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

#include "parablock-launch/Launch.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int complain(const pbl_error *error) {
  fprintf(stderr, "error: %s\n", error->message);
  return error->code;
}

/* Prints the token of the only row. */
static int print_token(const int64_t *tokens, uint64_t rows, void *user_data) {
  (void)rows;
  (void)user_data;
  printf("%lld\n", (long long)tokens[0]);
  fflush(stdout);
  return 0; /* another number ends generation */
}

/* The number that a text is; ends the program where it is none. */
static double read_real(const char *text) {
  char *end;
  double value = strtod(text, &end);
  if (end == text || *end) {
    fprintf(stderr, "error: expected a number, got '%s'\n", text);
    exit(1);
  }
  return value;
}

static int64_t read_whole(const char *text) {
  char *end;
  errno = 0;
  long long value = strtoll(text, &end, 10);
  if (end == text || *end || errno) {
    fprintf(stderr, "error: expected a whole number, got '%s'\n", text);
    exit(1);
  }
  return value;
}

/* Reads "temperature=0.8" into the request; returns 0 for another name. */
static int read_option(char *text, pbl_request *request, int64_t *stop) {
  char *value = strchr(text, '=') + 1;
  size_t length = (size_t)(value - text);
  pbl_sampling *sampling = &request->sampling;
  if (strncmp(text, "temperature=", length) == 0)
    sampling->temperature = read_real(value);
  else if (strncmp(text, "top_k=", length) == 0)
    sampling->top_k = read_whole(value);
  else if (strncmp(text, "top_p=", length) == 0)
    sampling->top_p = read_real(value);
  else if (strncmp(text, "min_p=", length) == 0)
    sampling->min_p = read_real(value);
  else if (strncmp(text, "repetition_penalty=", length) == 0)
    sampling->repetition_penalty = read_real(value);
  else if (strncmp(text, "seed=", length) == 0)
    request->seed = (uint64_t)read_whole(value);
  else if (strncmp(text, "stop=", length) == 0) {
    *stop = read_whole(value);
    request->stops = stop;
    request->num_stops = 1;
  } else
    return 0;
  return 1;
}

int main(int argc, char **argv) {
  if (argc < 5) {
    fprintf(stderr, "usage: generate PACKAGE WEIGHTS COUNT [OPTION=VALUE...] "
                    "TOKEN...\n");
    return 1;
  }
  int64_t stop = 0, *prompt = calloc((size_t)argc, sizeof(int64_t));
  pbl_request request = {0};
  request.ids = prompt;
  request.rows = 1;
  request.max_new_tokens = read_whole(argv[3]);
  request.sampling.repetition_penalty = request.sampling.top_p = 1;
  for (int i = 4; i < argc; ++i) {
    if (!strchr(argv[i], '='))
      prompt[request.width++] = read_whole(argv[i]);
    else if (!read_option(argv[i], &request, &stop)) {
      fprintf(stderr, "error: unknown option '%s'\n", argv[i]);
      return 1;
    }
  }

  pbl_error error;
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

  uint64_t steps = 0;
  size_t count =
      request.max_new_tokens > 0 ? (size_t)request.max_new_tokens : 1;
  int64_t *tokens = calloc(count, sizeof(int64_t));
  if (!tokens) {
    fprintf(stderr, "error: no memory for %zu tokens\n", count);
    return 1;
  }
  if (pbl_generate(program, &request, print_token, NULL, tokens, &steps,
                   &error) != PBL_OK)
    return complain(&error);
  pbl_program_destroy(program);
  pbl_device_close(device);
  pbl_package_close(package);
  free(tokens);
  free(prompt);
  return 0;
}
