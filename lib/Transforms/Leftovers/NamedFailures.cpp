//===- NamedFailures.cpp - failed conversions, by name --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Transforms/Leftovers/NamedFailures.h"

using namespace mlir;
using namespace parablock;

NamedFailures::NamedFailures(MLIRContext *context)
    : handler(context, [this](Diagnostic &diagnostic) {
        std::string text = diagnostic.str();
        StringRef rest = text;
        if (diagnostic.getSeverity() != DiagnosticSeverity::Error ||
            !rest.consume_front("failed to legalize operation '"))
          return failure();
        names.emplace_back(diagnostic.getLocation(),
                           rest.take_until([](char c) { return c == '\''; }));
        return success();
      }) {}

void NamedFailures::report(StringRef code) {
  for (const auto &[location, name] : names)
    emitError(location) << "no " << code << " for this form of '" << name
                        << "'";
  names.clear();
}
