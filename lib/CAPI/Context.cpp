//===- Context.cpp - context, error and remark functions ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock-c/Context.h"

#include "Handles.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Transforms/Passes.h"
#include "parablock/Execution/Engine.h"
#include "parablock/InitAll.h"
#include "llvm/Support/FormatVariadic.h"
#include <cstdlib>
#include <cstring>
#include <mutex>

using namespace parablock;

void capi::registerPassesOnce() {
  static std::once_flag registered;
  std::call_once(registered, [] {
    registerAllPasses();
    // For functions that have done their work.
    mlir::registerSymbolDCEPass();
    mlir::registerSymbolPrivatizePass();
  });
}

static mlir::DialectRegistry makeRegistry() {
  capi::registerPassesOnce();
  mlir::DialectRegistry registry;
  registerAllDialects(registry);
  return registry;
}

/// The API allows one thread at a time, so the context needs no
/// threads.
ParablockContext::ParablockContext()
    : owned(std::make_unique<mlir::MLIRContext>(
          makeRegistry(), mlir::MLIRContext::Threading::DISABLED)),
      context(*owned) {
  context.printOpOnDiagnostic(false);
}

ParablockContext::ParablockContext(mlir::MLIRContext &context)
    : context(context) {
  context.appendDialectRegistry(makeRegistry());
}

ParablockContext::~ParablockContext() {
  context.getDiagEngine().eraseHandler(handler);
}

ParablockLocation capi::getLocation(mlir::Location location) {
  ParablockLocation found{"", 0, 0};
  location->walk([&](mlir::Location inner) {
    auto file = llvm::dyn_cast<mlir::FileLineColLoc>(inner);
    if (!file)
      return mlir::WalkResult::advance();
    // Attribute strings end with a zero and live in the context.
    found = {file.getFilename().data(), file.getLine(), file.getColumn()};
    return mlir::WalkResult::interrupt();
  });
  return found;
}

static int32_t getSeverity(mlir::DiagnosticSeverity severity) {
  switch (severity) {
  case mlir::DiagnosticSeverity::Note:
    return ParablockNote;
  case mlir::DiagnosticSeverity::Warning:
    return ParablockWarning;
  case mlir::DiagnosticSeverity::Error:
    return ParablockError;
  case mlir::DiagnosticSeverity::Remark:
    return ParablockInformation;
  }
  return ParablockError;
}

mlir::LogicalResult ParablockContext::handle(mlir::Diagnostic &diagnostic) {
  std::string text = diagnostic.str();
  ParablockLocation location = capi::getLocation(diagnostic.getLocation());
  if (diagnostic.getSeverity() == mlir::DiagnosticSeverity::Error &&
      diagnosed.empty()) {
    llvm::raw_string_ostream os(diagnosed);
    if (location.line != 0)
      os << location.file << ":" << location.line << ":" << location.column
         << ": ";
    os << text;
  }
  if (diagnosticHandler) {
    ParablockDiagnostic shown{getSeverity(diagnostic.getSeverity()), location,
                              text.c_str()};
    diagnosticHandler(&shown, diagnosticData);
  }
  for (mlir::Diagnostic &note : diagnostic.getNotes())
    (void)handle(note);
  // The owner of a context hears of it as well.
  return mlir::success(owned != nullptr);
}

ParablockStatus ParablockContext::finish(llvm::Error error) {
  if (!error)
    return ParablockSuccess;
  ParablockStatus status =
      error.isA<runner::MissingError>() ? ParablockMissing : ParablockBadInput;
  bool isDiagnosed = error.isA<runner::DiagnosedError>();
  message = llvm::toString(std::move(error));
  if (!diagnosed.empty())
    message = isDiagnosed ? diagnosed : message + ": " + diagnosed;
  return status;
}

namespace {
/// Passes remarks to a C function.
class RemarkForwarder : public mlir::remark::detail::MLIRRemarkStreamerBase {
public:
  RemarkForwarder(ParablockRemarkHandler handler, void *userData)
      : handler(handler), userData(userData) {}

  void
  streamOptimizationRemark(const mlir::remark::detail::Remark &remark) override;

private:
  ParablockRemarkHandler handler;
  void *userData;
};
} // namespace

static const char *getKind(const mlir::remark::detail::Remark &remark) {
  switch (remark.getRemarkType()) {
  case llvm::remarks::Type::Passed:
    return "passed";
  case llvm::remarks::Type::Missed:
    return "missed";
  case llvm::remarks::Type::Failure:
    return "failure";
  default:
    return "analysis";
  }
}

void RemarkForwarder::streamOptimizationRemark(
    const mlir::remark::detail::Remark &remark) {
  std::vector<const char *> names, values;
  for (const auto &argument : remark.getArgs()) {
    names.push_back(argument.key.c_str());
    values.push_back(argument.val.c_str());
  }
  std::string pass = remark.getCombinedCategoryName().str(),
              name = remark.getRemarkName().str(),
              function = remark.getFunction().str(), message = remark.getMsg();
  ParablockRemark shown{getKind(remark),
                        pass.c_str(),
                        name.c_str(),
                        function.c_str(),
                        capi::getLocation(remark.getLocation()),
                        message.c_str(),
                        names.size(),
                        names.data(),
                        values.data()};
  handler(&shown, userData);
}

char *capi::copyString(llvm::StringRef text) {
  auto *copy = static_cast<char *>(std::malloc(text.size() + 1));
  std::memcpy(copy, text.data(), text.size());
  copy[text.size()] = '\0';
  return copy;
}

char *capi::copyJSON(llvm::json::Value value) {
  return copyString(llvm::formatv("{0:2}", value).str());
}

llvm::Error capi::createNullError() {
  return llvm::createStringError("a pointer that is needed is null");
}

const char *parablockVersion(void) { return PARABLOCK_VERSION; }

void parablockFree(char *string) { std::free(string); }

ParablockContext *parablockContextCreate(void) {
  ParablockContext *context = nullptr;
  bool isMade = capi::contain([&] {
    context = new ParablockContext;
    context->Retain();
  });
  return isMade ? context : nullptr;
}

void parablockContextDestroy(ParablockContext *context) {
  if (!context)
    return;
  // The handlers must not be called any more.
  parablockContextSetDiagnosticHandler(context, nullptr, nullptr);
  parablockContextSetRemarkHandler(context, nullptr, nullptr);
  context->Release();
}

void parablockContextTrustBytecode(ParablockContext *context) {
  if (context)
    context->readsBytecode = true;
}

const char *parablockContextGetError(const ParablockContext *context) {
  return context ? context->message.c_str() : "";
}

void parablockContextSetDiagnosticHandler(ParablockContext *context,
                                          ParablockDiagnosticHandler handler,
                                          void *userData) {
  if (!context)
    return;
  context->diagnosticHandler = handler;
  context->diagnosticData = userData;
}

void parablockContextSetRemarkHandler(ParablockContext *context,
                                      ParablockRemarkHandler handler,
                                      void *userData) {
  if (!context)
    return;
  if (!handler) {
    // One of the context's owner stays.
    if (context->hasRemarkHandler)
      context->context.setRemarkEngine(nullptr);
    context->hasRemarkHandler = false;
    return;
  }
  context->hasRemarkHandler = true;
  const std::string any = ".*";
  mlir::remark::RemarkCategories everything{/*all=*/std::nullopt, any, any, any,
                                            any};
  // The only failure is a category that is an invalid regular expression.
  (void)mlir::remark::enableOptimizationRemarks(
      context->context, std::make_unique<RemarkForwarder>(handler, userData),
      std::make_unique<mlir::remark::RemarkEmittingPolicyAll>(), everything);
}
