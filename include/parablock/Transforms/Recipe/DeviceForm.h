//===- DeviceForm.h - packing of weights on devices -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_RECIPE_DEVICEFORM_H
#define PARABLOCK_RECIPE_DEVICEFORM_H

#include "parablock/Transforms/Recipe/Recipe.h"

namespace parablock::recipe {

/// The program with which a device packs a tensor, to the bits of packTensor.
struct DeviceForm {
  /// Text of a module with one function, whose arguments are the tensors that
  /// listOriginals names; empty if there is none. Alike tensors have one text.
  std::string module;
  /// The reason that there is none.
  std::string reason;
};

/// Makes the program of a result of @prepack. Ops that may round differently on
/// a device, and constants of the package, have none.
DeviceForm makeDeviceForm(const Recipe &recipe, unsigned result);

} // namespace parablock::recipe

#endif // PARABLOCK_RECIPE_DEVICEFORM_H
