//===- Good.cpp - a file as it should be ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
