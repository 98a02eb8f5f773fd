ParablockStatus parablockGood(ParablockContext *context) {
  return context->call([&]() -> ParablockStatus { return ParablockSuccess; });
}

ParablockStatus parablockBad(ParablockContext *context) {
  return context->finish(work());
}

static ParablockStatus help(ParablockContext *context) {
  return context->finish(work());
}
