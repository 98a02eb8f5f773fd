/* A math library whose tanh is wrong, so that the reference engine, which calls it, and the CPU engine differ.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

double tanh(double x) { return x / (1 + (x < 0 ? -x : x)); }
