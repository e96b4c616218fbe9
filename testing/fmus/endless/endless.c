// Never returns from the step that passes `at`. It sleeps, so that tests beside it get their share of the machine.
#include <threads.h>
#define BREAK for (;;) thrd_sleep(&(struct timespec){.tv_sec = 1}, NULL)
#include "ramp.h"

const ModelType model_type = {.name = "endless", RAMP};
