// Refuses a second instance in one process.
#include "ramp.h"

const ModelType model_type = {.name = "only-once", RAMP, .only_once = true};
