// docs/Guide.md is there, docs/Old.md is not.
