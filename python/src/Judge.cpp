//===- Judge.cpp - judging one result by another --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock-c/Judge.h"
#include "Handles.h"
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>

using namespace parablock::python;

using Values = nb::ndarray<const double, nb::c_contig, nb::device::cpu>;

static void checkShape(const Values &values, const Values &exact) {
  bool isEqual = values.ndim() == exact.ndim();
  for (size_t i = 0; isEqual && i < exact.ndim(); ++i)
    isEqual = values.shape(i) == exact.shape(i);
  if (!isEqual)
    throw nb::value_error("expected arrays of one shape");
}

/// Returns the verdict as JSON.
static std::string judge(const std::shared_ptr<Context> &context,
                         const std::string &type, const Values &found,
                         const Values &exact,
                         const std::optional<Values> &own) {
  checkShape(found, exact);
  if (own)
    checkShape(*own, exact);
  std::vector<int64_t> shape;
  for (size_t i = 0; i < exact.ndim(); ++i)
    shape.push_back(static_cast<int64_t>(exact.shape(i)));
  ParablockJudged judged{type.c_str(), shape.data(),
                         shape.size(), found.data(),
                         exact.data(), own ? own->data() : nullptr};
  char *json = nullptr;
  context->call([&](ParablockContext *handle) {
    return parablockJudge(handle, &judged, &json);
  });
  return takeString(json);
}

void parablock::python::defineJudge(nb::module_ &python) {
  python.attr("floor_factor") = parablockGetFloorFactor();
  python.def("get_base_tolerance", &parablockGetBaseTolerance, nb::arg("type"));
  python.def("judge", &judge, nb::arg("context"), nb::arg("type"),
             nb::arg("found"), nb::arg("exact"),
             nb::arg("own").none() = nb::none());
}
