//===- Context.cpp - contexts, and errors as exceptions -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Handles.h"
#include <nanobind/stl/string.h>

using namespace parablock::python;

static const char *getSeverity(int32_t severity) {
  switch (severity) {
  case ParablockNote:
    return "note";
  case ParablockWarning:
    return "warning";
  case ParablockInformation:
    return "remark";
  default:
    return "error";
  }
}

Context::Context() : handle(parablockContextCreate()) {
  if (!handle)
    throw std::bad_alloc();
  parablockContextSetDiagnosticHandler(
      handle,
      [](const ParablockDiagnostic *diagnostic, void *data) {
        const ParablockLocation &at = diagnostic->location;
        static_cast<Context *>(data)->diagnostics.push_back(
            {getSeverity(diagnostic->severity), diagnostic->message, at.file,
             at.line, at.column});
      },
      this);
}

Context::~Context() { parablockContextDestroy(handle); }

static nb::list toPython(const std::vector<Diagnostic> &diagnostics) {
  nb::object make = nb::module_::import_("parablock.errors").attr("Diagnostic");
  nb::list list;
  for (const Diagnostic &each : diagnostics)
    list.append(
        make(each.severity, each.message, each.file, each.line, each.column));
  return list;
}

nb::list Context::takeDiagnostics() {
  nb::list list = toPython(latest);
  latest.clear();
  return list;
}

void Context::raise(ParablockStatus status, const std::string &message,
                    const std::vector<Diagnostic> &said) {
  nb::object error = nb::module_::import_("parablock.errors")
                         .attr("make_error")(status, message, toPython(said));
  PyErr_SetObject(reinterpret_cast<PyObject *>(Py_TYPE(error.ptr())),
                  error.ptr());
  throw nb::python_error();
}

std::string parablock::python::takeString(char *text) {
  std::string copy(text);
  parablockFree(text);
  return copy;
}

NB_MODULE(_core, python) {
  python.attr("version") = parablockVersion();
  nb::class_<Context>(python, "Context")
      .def(nb::init<>())
      .def("take_diagnostics", &Context::takeDiagnostics);
  defineModules(python);
  definePrograms(python);
  defineGeneration(python);
  defineJudge(python);
  watchEnd();
}
