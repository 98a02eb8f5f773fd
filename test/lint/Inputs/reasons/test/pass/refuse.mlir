// good-reason, never-given, not good-reason-either
