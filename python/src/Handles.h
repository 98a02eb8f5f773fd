//===- Handles.h - the C API's objects as Python's --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Whatever belongs to a context is for one thread at a time: calls lock the
// context, and let other Python threads go on meanwhile.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_PYTHON_HANDLES_H
#define PARABLOCK_PYTHON_HANDLES_H

#include "Release.h"
#include "parablock-c/Context.h"
#include "parablock-c/Module.h"
#include "parablock-c/Program.h"
#include <memory>
#include <mutex>
#include <nanobind/nanobind.h>
#include <string>
#include <vector>

namespace parablock::python {

namespace nb = nanobind;

/// A diagnostic that was emitted during a call.
struct Diagnostic {
  const char *severity;
  std::string message, file;
  uint32_t line, column;
};

class Context {
public:
  Context();
  ~Context();
  Context(const Context &) = delete;

  /// Makes a call of the C API; what it had to say becomes an exception.
  template <typename Function> void call(Function function) {
    ParablockStatus status;
    std::string message;
    std::vector<Diagnostic> said;
    {
      Release release;
      std::lock_guard<std::mutex> lock(mutex);
      diagnostics.clear();
      status = function(handle);
      if (status != ParablockSuccess)
        message = parablockContextGetError(handle);
      said.swap(diagnostics);
    }
    if (status != ParablockSuccess)
      raise(status, message, said);
    latest = std::move(said);
  }

  /// Destroys what belongs to the context, once no other thread is at it.
  template <typename Handle>
  void destroy(void (*function)(Handle *), Handle *object) {
    Release release;
    std::unique_lock<std::mutex> lock(mutex, std::defer_lock);
    if (!Release::isEnding())
      lock.lock();
    else if (!lock.try_lock())
      return; // at the end of Python no caller waits for this
    function(object);
  }

  /// What the latest call that went well had to say, as Python objects.
  nb::list takeDiagnostics();

private:
  [[noreturn]] static void raise(ParablockStatus status,
                                 const std::string &message,
                                 const std::vector<Diagnostic> &said);

  ParablockContext *handle;
  std::mutex mutex;
  std::vector<Diagnostic> diagnostics, latest;
};

/// A module and the context that it needs.
struct Module {
  Module(std::shared_ptr<Context> context, ParablockModule *handle)
      : context(std::move(context)), handle(handle) {}
  ~Module();
  Module(const Module &) = delete;

  std::shared_ptr<Context> context;
  ParablockModule *handle;
};

/// A string of the C API, freed.
std::string takeString(char *text);

/// The registrations of this extension's files.
void defineModules(nb::module_ &python);
void definePrograms(nb::module_ &python);
void defineGeneration(nb::module_ &python);
void defineJudge(nb::module_ &python);

} // namespace parablock::python

#endif // PARABLOCK_PYTHON_HANDLES_H
