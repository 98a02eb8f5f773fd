//===- Check.h - what the C tests check with ----------------------*- C -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_TEST_CAPI_CHECK_H
#define PARABLOCK_TEST_CAPI_CHECK_H

#include <stdio.h>
#include <stdlib.h>

/* Ends the program at the first thing that is not as expected. */
#define CHECK(condition)                                                       \
  do {                                                                         \
    if (!(condition)) {                                                        \
      fprintf(stderr, "%s:%d: expected %s\n", __FILE__, __LINE__, #condition); \
      exit(1);                                                                 \
    }                                                                          \
  } while (0)

#endif
