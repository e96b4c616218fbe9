// The builder renames its doStep, so that it is not exported.
#include "ramp.h"

const ModelType model_type = {.name = "missing-symbol", RAMP};
