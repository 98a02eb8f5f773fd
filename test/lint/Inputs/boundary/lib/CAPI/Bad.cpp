ParablockStatus parablockGood(ParablockContext *context) {
  return capi::run(context, {}, [] { return llvm::Error::success(); });
}

ParablockStatus parablockBad(ParablockContext *context) {
  return context->finish(work());
}

static ParablockStatus help(ParablockContext *context) {
  return context->finish(work());
}
