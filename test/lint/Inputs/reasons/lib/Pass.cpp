void pass() { give(Reason::Good, Reason::Bad); }
