// Ends the whole process in the step that passes `at`.
#include <stdlib.h>
#define BREAK exit(7)
#include "ramp.h"

const ModelType model_type = {.name = "exits", RAMP};
