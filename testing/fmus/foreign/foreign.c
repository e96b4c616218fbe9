// Never compiled: the FMU holds a file for another platform instead.
#include "ramp.h"

const ModelType model_type = {.name = "foreign", RAMP};
