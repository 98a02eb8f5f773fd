pbl_code pbl_good(pbl_error *error) {
  return contain(PBL_INTERNAL, error, [&]() -> pbl_code { return PBL_OK; });
}

pbl_code pbl_bad(const char *path, pbl_error *error) {
  return report(open(path), error);
}

const char *pbl_name(const pbl_device *device) {
  return device->name;
}

pbl_code pbl_worse(pbl_session *session, pbl_error *error) {
  return report(use(session, [&](Session &own) { return own.wait(); }), error);
}

pbl_code pbl_better(pbl_session *session, pbl_error *error) {
  return use(session, error, [&](Session &own) { return own.wait(); });
}
