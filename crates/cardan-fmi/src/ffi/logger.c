// FMI 2 gives its messages like printf does. This formats them and passes the text on.
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

typedef void Sink(void *environment, int status, const char *category, const char *text);

static Sink *sink;

void cardan_fmi2_logger_install(Sink *to) { sink = to; }

void cardan_fmi2_logger(void *environment, const char *instance, int status, const char *category, const char *format, ...) {
    (void)instance; // the environment knows better
    if (!sink || !format) return;
    char short_text[512];
    char *text = short_text;
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(short_text, sizeof short_text, format, arguments);
    va_end(arguments);
    if (length >= (int)sizeof short_text && (text = malloc((size_t)length + 1))) {
        va_start(arguments, format);
        length = vsnprintf(text, (size_t)length + 1, format, arguments);
        va_end(arguments);
    }
    // What cannot be formatted is shown as it was written; without memory, its beginning has to do.
    sink(environment, status, category, length < 0 ? format : text ? text : short_text);
    if (text != short_text) free(text);
}
