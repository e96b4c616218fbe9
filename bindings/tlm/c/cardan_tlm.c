/* A component of a TLM co-simulation: its session with the manager, its interfaces, loads and waves. See cardan_tlm.h. */
#include "cardan_tlm_parts.h"
#include <ctype.h>
#include <float.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIGNAL_IN, SIGNAL_OUT, LINE_1D, LINE_3D };
typedef struct {
    int id, shape, hydraulic, told, asked_once; /* told: motion was given; asked_once: in interface request mode it has left */
    char name[128];
    cardan_tlm_params p;
    double first[6], flow[6];          /* initial load (or value), initial flow */
    double last_sent, last_told, slack;
    tlm_history came, damped, unsent;
    unsigned long horizon;             /* samples that calls have waited for so far, counted from the first ever */
} interface;
typedef struct { char *name, *value; } parameter;

struct cardan_tlm {
    tlm_line line;
    int connected, checked, closed, failed, asking, cubic, bad_setting;
    double start, end, feedback, connect_patience;
    interface *interfaces;
    parameter *parameters;
    int interface_count, parameter_count;
    long extrapolations;
};

/* --- the beginning --- */
/* A number as everybody writes it, whatever the locale of the tool. */
static int number(const char *text, double *value) {
    char copy[64], *end;
    size_t length = strlen(text);
    const char *point = localeconv()->decimal_point;
    if (length == 0 || length >= sizeof copy || strlen(point) != 1) return 0;
    memcpy(copy, text, length + 1);
    for (char *c = copy; *c; c++)
        if (*c == '.') *c = *point;
    *value = strtod(copy, &end);
    return *end == 0 && isfinite(*value);
}

static int setting(cardan_tlm *t, const char *name, double *value) {
    const char *text = getenv(name);
    if (!text || !*text) return 0;
    if (number(text, value) && *value >= 0.0) return 1;
    tlm_fail(&t->line, 0, "The environment variable %s must be a number that is not negative, not `%s`.", name, text);
    t->bad_setting = 1;
    return 0;
}

cardan_tlm *cardan_tlm_new(void) {
    cardan_tlm *t = calloc(1, sizeof *t);
    if (t) t->feedback = 1.5, t->connect_patience = 60.0;
    return t;
}

const char *cardan_tlm_error(const cardan_tlm *t) { return !t ? "There is no session." : t->line.error[0] ? t->line.error : "Nothing is wrong."; }

static int bad(cardan_tlm *t, const char *words) { return tlm_fail(&t->line, CARDAN_TLM_BAD_ARGUMENT, "%s", words); }

int cardan_tlm_set_interpolation(cardan_tlm *t, int rule) {
    if (rule != CARDAN_TLM_LINEAR && rule != CARDAN_TLM_CUBIC) return bad(t, "Interpolation is linear or cubic.");
    t->cubic = rule;
    return CARDAN_TLM_OK;
}

int cardan_tlm_set_filter_feedback(cardan_tlm *t, double delays) {
    if (!(delays > 0.0 && isfinite(delays))) return bad(t, "The feedback of the filter must be later than its input by a positive number of delays.");
    t->feedback = delays;
    return CARDAN_TLM_OK;
}

int cardan_tlm_set_patience(cardan_tlm *t, double connecting, double waiting) {
    if (!(connecting >= 0.0 && waiting >= 0.0)) return bad(t, "Patience is a number of seconds that is not negative.");
    t->connect_patience = connecting, t->line.patience = waiting;
    return CARDAN_TLM_OK;
}

int cardan_tlm_read_config(cardan_tlm *t, const char *path, cardan_tlm_config *c) {
    char words[5][256], more[2];
    FILE *file = path ? fopen(path, "r") : NULL;
    if (!file) return tlm_fail(&t->line, CARDAN_TLM_BAD_FILE, "The file %s cannot be opened; the start script of the tool writes it.", path ? path : "(none)");
    int found = fscanf(file, "%255s %255s %255s %255s %255s %1s", words[0], words[1], words[2], words[3], words[4], more);
    fclose(file);
    /* The server is the word with a colon: the second, or the last in what start scripts for Adams write. */
    int server = found == 5 && strchr(words[1], ':') ? 1 : found == 5 && strchr(words[4], ':') ? 4 : 0, from = server == 1 ? 2 : 1;
    double *numbers[3] = {&c->start, &c->end, &c->max_step};
    for (int i = 0; i < 3 && server; i++)
        if (!number(words[from + i], numbers[i])) server = 0;
    if (!server)
        return tlm_fail(&t->line, CARDAN_TLM_BAD_FILE,
                        "%s must hold five words: name host:port start end maxstep, or name start end maxstep host:port.", path);
    strcpy(c->model, words[0]), strcpy(c->server, words[server]);
    return CARDAN_TLM_OK;
}

/* --- what arrives --- */
static interface *find(const cardan_tlm *t, int id) {
    for (int i = 0; i < t->interface_count; i++)
        if (t->interfaces[i].id == id) return t->interfaces + i;
    return NULL;
}

/* An error after which the line is of no use. */
static int broken(cardan_tlm *t, int code) {
    t->failed = 1;
    tlm_line_close(&t->line);
    return code;
}

static int take_samples(cardan_tlm *t, const tlm_message *m) {
    interface *i = find(t, m->id);
    if (!i || i->shape == SIGNAL_OUT)
        return broken(t, tlm_fail(&t->line, CARDAN_TLM_PROTOCOL, "The manager sent data for interface %d, which this component %s.", m->id,
                                  i ? "only sends from" : "does not have"));
    size_t bytes = 8 * i->came.width;
    if (m->size % bytes)
        return broken(t, tlm_fail(&t->line, CARDAN_TLM_PROTOCOL, "The manager sent %lu bytes for interface %s; a sample has %lu.",
                                  (unsigned long)m->size, i->name, (unsigned long)bytes));
    for (size_t from = 0; from < m->size / 8; from += i->came.width) {
        double sample[TLM_MOST];
        for (size_t k = 0; k < i->came.width; k++) {
            sample[k] = tlm_double_at(m, from + k);
            if (!isfinite(sample[k]))
                return broken(t, tlm_fail(&t->line, CARDAN_TLM_PROTOCOL, "A number that is not finite came for interface %s, in the sample of %.9g s.",
                                          i->name, sample[0]));
        }
        if (tlm_history_add(&i->came, sample) < 0)
            return broken(t, tlm_fail(&t->line, CARDAN_TLM_NO_MEMORY, "There is no memory for the samples of interface %s.", i->name));
    }
    return CARDAN_TLM_OK;
}

/* The next message that is no time data; `kind` is what is waited for, or 0 to wait for time data only. */
static int receive(cardan_tlm *t, int kind, tlm_message *m) {
    for (;;) {
        int code = tlm_line_receive(&t->line, m);
        if (code != CARDAN_TLM_OK) return t->failed = 1, code;
        if (m->kind == kind) return CARDAN_TLM_OK;
        if (m->kind == TLM_TIME_DATA) {
            code = take_samples(t, m);
            if (code != CARDAN_TLM_OK || !kind) return code;
        } else if (m->kind == TLM_ABORT || m->kind == TLM_CLOSE_PERMISSION)
            return broken(t, tlm_fail(&t->line, CARDAN_TLM_LOST, "The manager ended the run before this component was done%s%.*s", m->size ? ": " : ".",
                                      m->size < 300 ? (int)m->size : 300, (const char *)m->payload));
        else
            return broken(t, tlm_fail(&t->line, CARDAN_TLM_PROTOCOL, "The manager sent a message of type %d while type %d was awaited.", m->kind, kind));
    }
}

/* The first message of a component: its name, and what a manager beyond this machine wants to hear: a zero and the secret. */
static int introduce(cardan_tlm *t, const char *model) {
    char text[1024];
    const char *secret = getenv("CARDAN_TLM_SECRET");
    size_t length = strlen(model), more;
    while (secret && isspace((unsigned char)*secret)) secret++;
    more = secret ? strlen(secret) : 0;
    while (more && isspace((unsigned char)secret[more - 1])) more--;
    if (more > 512) return bad(t, "The secret in CARDAN_TLM_SECRET is longer than 512 characters.");
    memcpy(text, model, length), text[length] = 0;
    if (more) memcpy(text + length + 1, secret, more), length += 1 + more;
    return tlm_line_send(&t->line, TLM_REG_COMPONENT, -1, text, length);
}

int cardan_tlm_connect(cardan_tlm *t, const char *model, double start, double end, double max_step, const char *server) {
    tlm_message reply;
    double set;
    const char *rule = getenv("CARDAN_TLM_INTERPOLATION");
    if (t->connected) return bad(t, "This session is connected already.");
    if (!model || !*model || strlen(model) > 255) return bad(t, "The name of the component must have 1 to 255 characters.");
    if (!(isfinite(start) && isfinite(end) && start < end && isfinite(max_step) && max_step >= 0.0))
        return bad(t, "The simulation must end after its start, with a largest step that is not negative.");
    if (setting(t, "CARDAN_TLM_FILTER_FEEDBACK", &set) && cardan_tlm_set_filter_feedback(t, set) != CARDAN_TLM_OK) return CARDAN_TLM_BAD_ARGUMENT;
    if (setting(t, "CARDAN_TLM_PATIENCE", &set)) t->line.patience = set;
    if (setting(t, "CARDAN_TLM_CONNECT_PATIENCE", &set)) t->connect_patience = set;
    if (t->bad_setting) return CARDAN_TLM_BAD_ARGUMENT;
    if (rule && *rule) {
        if (strcmp(rule, "linear") && strcmp(rule, "cubic")) return bad(t, "The environment variable CARDAN_TLM_INTERPOLATION must be linear or cubic.");
        t->cubic = !strcmp(rule, "cubic");
    }
    int code = tlm_line_open(&t->line, server, t->connect_patience);
    if (code != CARDAN_TLM_OK) return code;
    t->start = start, t->end = end;
    code = introduce(t, model);
    if (code == CARDAN_TLM_OK) code = receive(t, TLM_REG_COMPONENT, &reply);
    if (code == CARDAN_TLM_OK && reply.id < 0)
        code = tlm_fail(&t->line, CARDAN_TLM_REFUSED, "The manager does not want a component named `%s`.", model);
    if (code != CARDAN_TLM_OK) return broken(t, code);
    t->connected = 1;
    return CARDAN_TLM_OK;
}

int cardan_tlm_abort_on_signals(cardan_tlm *t) { return tlm_line_abort_on_signals(&t->line); }

/* --- registration --- */
static int same(const char *given, const char *word) {
    while (*given && tolower((unsigned char)*given) == *word) given++, word++;
    return !*given && !*word;
}

static int registering(cardan_tlm *t) {
    if (!t->connected) return bad(t, "The session is not connected to a manager yet.");
    if (t->checked) return bad(t, "The model was checked already; interfaces and parameters are registered before that.");
    return CARDAN_TLM_OK;
}

int cardan_tlm_register_interface(cardan_tlm *t, const char *name, int dimensions, const char *causality, const char *domain) {
    char text[256];
    tlm_message reply;
    interface i;
    int code = registering(t);
    memset(&i, 0, sizeof i);
    if (code != CARDAN_TLM_OK) return code;
    if (!causality) causality = "bidirectional";
    if (!domain) domain = "mechanical";
    if (!name || !*name || strlen(name) >= sizeof i.name || strchr(name, ':'))
        return bad(t, "The name of an interface must have 1 to 127 characters, none of them a colon.");
    if (!*domain || strlen(domain) > 63 || strchr(domain, ':'))
        return bad(t, "The domain of an interface must be mechanical, rotational, hydraulic, electric or signal.");
    int both = same(causality, "bidirectional"), in = same(causality, "input"), out = same(causality, "output");
    if (!both && !in && !out) return tlm_fail(&t->line, CARDAN_TLM_BAD_ARGUMENT, "The causality of %s must be bidirectional, input or output, not `%s`.", name, causality);
    if (dimensions != 1 && (dimensions != 6 || !both))
        return tlm_fail(&t->line, CARDAN_TLM_BAD_ARGUMENT, "Interface %s can have dimension 1, or 6 if it is bidirectional, not %d.", name, dimensions);
    if (both && same(domain, "signal")) return tlm_fail(&t->line, CARDAN_TLM_BAD_ARGUMENT, "The signal %s must be input or output.", name);
    for (int k = 0; k < t->interface_count; k++)
        if (!strcmp(t->interfaces[k].name, name)) return tlm_fail(&t->line, CARDAN_TLM_BAD_ARGUMENT, "Interface %s is registered twice.", name);

    /* Other plugins write the first letter of the domain small, and managers compare it so. */
    snprintf(text, sizeof text, "%s:%d:%s:%c%s", name, dimensions, both ? "bidirectional" : in ? "input" : "output", tolower((unsigned char)domain[0]), domain + 1);
    code = tlm_line_send(&t->line, TLM_REG_INTERFACE, -1, text, strlen(text));
    if (code == CARDAN_TLM_OK) code = receive(t, TLM_REG_INTERFACE, &reply);
    if (code != CARDAN_TLM_OK) return broken(t, code);
    if (reply.id < 0 && reply.size == 0) return CARDAN_TLM_UNCONNECTED;

    double *numbers = (double *)&i.p;
    int sensible = reply.id >= 0 && !find(t, reply.id) && reply.size == sizeof i.p;
    for (size_t k = 0; sensible && k < sizeof i.p / 8; k++) sensible = isfinite(numbers[k] = tlm_double_at(&reply, k));
    if (!sensible || i.p.Delay < 0.0 || i.p.alpha < 0.0 || i.p.alpha >= 1.0)
        return broken(t, tlm_fail(&t->line, CARDAN_TLM_PROTOCOL, "The manager's answer about interface %s makes no sense.", name));
    if (!(i.p.Delay > 0.0) && !(i.p.mode > 0.0))
        return broken(t, tlm_fail(&t->line, CARDAN_TLM_REFUSED, "The line at interface %s has no delay; a transmission line must have one.", name));
    interface *grown = realloc(t->interfaces, (size_t)(t->interface_count + 1) * sizeof i);
    if (!grown) return broken(t, tlm_fail(&t->line, CARDAN_TLM_NO_MEMORY, "There is no memory for interface %s.", name));
    t->interfaces = grown;
    strcpy(i.name, name);
    i.id = reply.id, i.shape = in ? SIGNAL_IN : out ? SIGNAL_OUT : dimensions == 1 ? LINE_1D : LINE_3D;
    i.hydraulic = i.shape == LINE_1D && same(domain, "hydraulic");
    i.came.width = i.unsent.width = both ? (dimensions == 1 ? 4 : 25) : 2;
    i.damped.width = dimensions == 1 ? 2 : 7;
    i.last_sent = i.last_told = t->start;
    i.slack = 1e-9 * i.p.Delay; /* instants that differ by less are one */
    if (i.p.mode > 0.0) t->asking = 1;
    t->interfaces[t->interface_count++] = i;
    return i.id;
}

static char *copied(const char *text, size_t length) {
    char *copy = malloc(length + 1);
    if (copy) memcpy(copy, text, length), copy[length] = 0;
    return copy;
}

int cardan_tlm_register_parameter(cardan_tlm *t, const char *name, const char *value) {
    char text[1024];
    tlm_message reply;
    int code = registering(t);
    if (code != CARDAN_TLM_OK) return code;
    if (!name || !*name || strchr(name, ':') || !value || strlen(name) + strlen(value) > 400)
        return bad(t, "A parameter needs a name without a colon and a value, 400 characters at most.");
    snprintf(text, sizeof text, "%s:%s", name, value);
    code = tlm_line_send(&t->line, TLM_REG_PARAMETER, -1, text, strlen(text));
    if (code == CARDAN_TLM_OK) code = receive(t, TLM_REG_PARAMETER, &reply);
    if (code != CARDAN_TLM_OK) return broken(t, code);
    size_t length = 0;
    while (length < reply.size && reply.payload[length]) length++; /* what follows the NUL means nothing */
    parameter p = {copied(name, strlen(name)), reply.size ? copied((const char *)reply.payload, length) : copied(value, strlen(value))};
    parameter *grown = p.name && p.value ? realloc(t->parameters, (size_t)(t->parameter_count + 1) * sizeof p) : NULL;
    if (!grown) {
        free(p.name), free(p.value);
        return tlm_fail(&t->line, CARDAN_TLM_NO_MEMORY, "There is no memory for parameter %s.", name);
    }
    t->parameters = grown, t->parameters[t->parameter_count] = p;
    return t->parameter_count++;
}

int cardan_tlm_parameter(const cardan_tlm *t, int index, const char **name, const char **value) {
    if (index < 0 || index >= t->parameter_count) return CARDAN_TLM_BAD_ARGUMENT;
    if (name) *name = t->parameters[index].name;
    if (value) *value = t->parameters[index].value;
    return CARDAN_TLM_OK;
}

/* An interface of the right shape, or the reason why not. No interface and no reason: it is not connected. */
static interface *shaped(cardan_tlm *t, int id, int shape, int *code) {
    interface *i = find(t, id);
    *code = CARDAN_TLM_OK;
    if (!i && id != CARDAN_TLM_UNCONNECTED) *code = tlm_fail(&t->line, CARDAN_TLM_BAD_ARGUMENT, "There is no interface with the number %d.", id);
    if (!i || i->shape == shape) return i;
    const char *what[] = {"an input signal", "an output signal", "an interface of one dimension", "an interface of three dimensions"};
    *code = tlm_fail(&t->line, CARDAN_TLM_BAD_ARGUMENT, "Interface %s is %s, and this call is for %s.", i->name, what[i->shape], what[shape]);
    return NULL;
}

static int finite(const double *v, int count) {
    for (int k = 0; k < count; k++)
        if (!isfinite(v[k])) return 0;
    return 1;
}

static int set_first(cardan_tlm *t, int id, int shape, const double *v, int count, int flow) {
    int code;
    interface *i = shaped(t, id, shape, &code);
    if (!i) return code;
    if (!finite(v, count)) return bad(t, "An initial load, flow or value must be finite.");
    memcpy(flow ? i->flow : i->first, v, (size_t)count * sizeof *v);
    return CARDAN_TLM_OK;
}

int cardan_tlm_set_initial_force1d(cardan_tlm *t, int id, double force) { return set_first(t, id, LINE_1D, &force, 1, 0); }
int cardan_tlm_set_initial_force3d(cardan_tlm *t, int id, const double load[6]) { return set_first(t, id, LINE_3D, load, 6, 0); }
int cardan_tlm_set_initial_flow1d(cardan_tlm *t, int id, double flow) { return set_first(t, id, LINE_1D, &flow, 1, 1); }
int cardan_tlm_set_initial_flow3d(cardan_tlm *t, int id, const double flow[6]) { return set_first(t, id, LINE_3D, flow, 6, 1); }
int cardan_tlm_set_initial_value(cardan_tlm *t, int id, double value) { return set_first(t, id, SIGNAL_IN, &value, 1, 0); }

int cardan_tlm_check_model(cardan_tlm *t) {
    tlm_message reply;
    if (t->checked) return CARDAN_TLM_OK;
    int code = registering(t);
    if (code != CARDAN_TLM_OK) return code;
    code = tlm_line_send(&t->line, TLM_CHECK_MODEL, -1, NULL, 0);
    if (code == CARDAN_TLM_OK) code = receive(t, TLM_CHECK_MODEL, &reply);
    if (code == CARDAN_TLM_OK && reply.id != 1)
        code = tlm_fail(&t->line, CARDAN_TLM_REFUSED, "The manager's check of the model failed: an interface of the model was not registered by its component.");
    if (code != CARDAN_TLM_OK) return broken(t, code);
    t->checked = 1;
    return CARDAN_TLM_OK;
}

/* --- waves --- */
static int send_unsent(cardan_tlm *t, interface *i) {
    if (!i->unsent.count) return CARDAN_TLM_OK;
    int code = tlm_line_send(&t->line, TLM_TIME_DATA, i->id, tlm_history_at(&i->unsent, 0), i->unsent.count * i->unsent.width * sizeof(double));
    if (code != CARDAN_TLM_OK) return t->failed = 1, code;
    i->last_sent = i->last_told, i->unsent.count = i->unsent.first = 0;
    return CARDAN_TLM_OK;
}

/* What came for `time`, filtered, into `sample`; `*there` says whether there is any. The error of a lost line comes with a
 * sample all the same: extrapolated, so that a tool that cannot fail goes on. */
static int sample_for(cardan_tlm *t, interface *i, double time, double *sample, int *there) {
    double slack = i->slack + 4.0 * DBL_EPSILON * fabs(time), at = time - i->p.Delay;
    int code = cardan_tlm_check_model(t), wave = i->shape == LINE_1D ? 3 : 19, waves = i->shape == LINE_1D ? 1 : 6;
    *there = 0;
    if (code != CARDAN_TLM_OK) return code;
    if (!isfinite(time)) return bad(t, "A time must be finite.");
    if (i->p.mode > 0.0 || time <= t->start + i->p.Delay + slack) return CARDAN_TLM_OK;
    /* Others may need what is still here before they can send what is needed now. */
    for (int k = 0; k < t->interface_count && !t->closed; k++)
        if (time > t->interfaces[k].last_sent + t->interfaces[k].p.Delay + slack && (code = send_unsent(t, t->interfaces + k)) != CARDAN_TLM_OK) break;
    /* Beyond the own last motion plus a delay, the other end may be waiting for motion that it never gets. */
    size_t needed = tlm_history_find(&i->came, at, slack);
    if (i->shape == SIGNAL_IN || at <= i->last_sent + slack) {
        tlm_message m;
        while (needed == i->came.count && code == CARDAN_TLM_OK) code = receive(t, 0, &m), needed = tlm_history_find(&i->came, at, slack);
        if (needed < i->came.count) code = CARDAN_TLM_OK;
        else needed = i->came.count ? i->came.count - 1 : 0, t->extrapolations++; /* cut off: all that came */
        if (i->came.count && i->came.dropped + needed + 1 > i->horizon) i->horizon = i->came.dropped + needed + 1;
    } else if (i->came.dropped + needed >= i->horizon) t->extrapolations++;
    if (i->horizon <= i->came.dropped) return code;
    *there = 1;
    tlm_history_read(&i->came, i->horizon - i->came.dropped - 1, at, slack, t->cubic, i->shape == LINE_3D, sample);
    if (i->shape >= LINE_1D && i->p.alpha > 0.0 && i->damped.count) {
        double before[7];
        tlm_history_read(&i->damped, i->damped.count - 1, sample[0] - t->feedback * i->p.Delay, slack, t->cubic, TLM_WAVES_ONLY, before);
        for (int k = 0; k < waves; k++) sample[wave + k] = (1.0 - i->p.alpha) * sample[wave + k] + i->p.alpha * before[1 + k];
    }
    return code;
}

int cardan_tlm_get_data_signal(cardan_tlm *t, int id, double time, cardan_tlm_signal_data *d) {
    double sample[TLM_MOST];
    int code, there = 0;
    interface *i = shaped(t, id, SIGNAL_IN, &code);
    d->time = CARDAN_TLM_NO_DATA, d->Value = i ? i->first[0] : 0.0;
    if (i) code = sample_for(t, i, time, sample, &there);
    if (there) d->time = time - i->p.Delay, d->Value = sample[1];
    return code;
}

int cardan_tlm_get_data1d(cardan_tlm *t, int id, double time, cardan_tlm_data1d *d) {
    double sample[TLM_MOST];
    int code, there = 0;
    interface *i = shaped(t, id, LINE_1D, &code);
    memset(d, 0, sizeof *d);
    d->time = CARDAN_TLM_NO_DATA, d->GenForce = i ? i->first[0] : 0.0;
    if (i) code = sample_for(t, i, time, sample, &there);
    if (there) memcpy(d, sample, sizeof *d), d->time = time - i->p.Delay;
    return code;
}

int cardan_tlm_get_data3d(cardan_tlm *t, int id, double time, cardan_tlm_data3d *d) {
    double sample[TLM_MOST];
    int code, there = 0;
    interface *i = shaped(t, id, LINE_3D, &code);
    memset(d, 0, sizeof *d);
    d->time = CARDAN_TLM_NO_DATA, d->RotMatrix[0] = d->RotMatrix[4] = d->RotMatrix[8] = 1.0;
    if (i) memcpy(d->GenForce, i->first, sizeof i->first), code = sample_for(t, i, time, sample, &there);
    if (there) memcpy(d, sample, sizeof *d), d->time = time - i->p.Delay;
    return code;
}

int cardan_tlm_get_value(cardan_tlm *t, int id, double time, double *value) {
    cardan_tlm_signal_data d;
    int code = cardan_tlm_get_data_signal(t, id, time, &d);
    *value = d.Value;
    return code;
}

int cardan_tlm_get_force1d(cardan_tlm *t, int id, double time, double speed, double *force) {
    cardan_tlm_data1d d;
    int code = cardan_tlm_get_data1d(t, id, time, &d);
    interface *i = find(t, id);
    *force = i ? cardan_tlm_force1d(speed, &d, &i->p, i->hydraulic) : 0.0;
    return code;
}

int cardan_tlm_get_force3d(cardan_tlm *t, int id, double time, const double speed[3], const double ang_speed[3], double load[6]) {
    cardan_tlm_data3d d;
    int code = cardan_tlm_get_data3d(t, id, time, &d);
    interface *i = find(t, id);
    memset(load, 0, 6 * sizeof *load);
    if (i) cardan_tlm_force3d(speed, ang_speed, &d, &i->p, load);
    return code;
}

int cardan_tlm_get_wave_impedance1d(cardan_tlm *t, int id, double time, double *impedance, double *wave) {
    cardan_tlm_data1d d;
    int code = cardan_tlm_get_data1d(t, id, time, &d);
    interface *i = find(t, id);
    *impedance = i ? i->p.Zf : 0.0, *wave = d.time == CARDAN_TLM_NO_DATA ? 0.0 : d.GenForce;
    return code;
}

int cardan_tlm_get_wave_impedance3d(cardan_tlm *t, int id, double time, double *Zf, double *Zfr, double wave[6]) {
    cardan_tlm_data3d d;
    int code = cardan_tlm_get_data3d(t, id, time, &d);
    interface *i = find(t, id);
    *Zf = i ? i->p.Zf : 0.0, *Zfr = i ? i->p.Zfr : 0.0;
    for (int k = 0; k < 6; k++) wave[k] = d.time == CARDAN_TLM_NO_DATA ? 0.0 : d.GenForce[k];
    return code;
}

/* --- motion --- */
/* Whether motion at this time is news. In interface request mode each interface tells its place once; whoever comes
 * round again is done. */
static int may_tell(cardan_tlm *t, interface *i, double time, const double *v, int count, int *news) {
    int code = cardan_tlm_check_model(t);
    *news = 0;
    if (code != CARDAN_TLM_OK) return code;
    if (t->closed) return t->asking ? CARDAN_TLM_DONE : bad(t, "The session has said goodbye already.");
    if (!isfinite(time) || !finite(v, count)) return tlm_fail(&t->line, CARDAN_TLM_BAD_ARGUMENT, "Time and motion of interface %s must be finite.", i->name);
    if (t->asking && i->asked_once) {
        code = cardan_tlm_await_close_permission(t);
        return code == CARDAN_TLM_OK ? CARDAN_TLM_DONE : code;
    }
    if (time < i->last_told)
        return tlm_fail(&t->line, CARDAN_TLM_BAD_ARGUMENT, "Interface %s was told its motion at %.9g s after that at %.9g s; only completed steps are told, in order.",
                        i->name, time, i->last_told);
    *news = !(i->told && time == i->last_told && !i->unsent.count); /* what has left cannot be changed */
    return CARDAN_TLM_OK;
}

static int tell(cardan_tlm *t, interface *i, const double *sample) {
    double time = sample[0];
    if (tlm_history_replace(&i->unsent, sample) < 0) return tlm_fail(&t->line, CARDAN_TLM_NO_MEMORY, "There is no memory for the motion of interface %s.", i->name);
    i->told = 1, i->last_told = time;
    if (t->asking || time >= i->last_sent + i->p.Delay / 2.0 - i->slack) {
        int code = send_unsent(t, i);
        if (code != CARDAN_TLM_OK) return code;
        i->asked_once = 1;
    }
    /* A delay more than is needed stays, for solvers that look back. */
    tlm_history_forget(&i->came, time - 2.0 * i->p.Delay);
    tlm_history_forget(&i->damped, time - (2.0 + t->feedback) * i->p.Delay);
    return CARDAN_TLM_OK;
}

static int damp(cardan_tlm *t, interface *i, double at, const double *waves) {
    double entry[7] = {at};
    memcpy(entry + 1, waves, (i->damped.width - 1) * sizeof *waves);
    if (i->p.alpha > 0.0 && tlm_history_replace(&i->damped, entry) < 0) return tlm_fail(&t->line, CARDAN_TLM_NO_MEMORY, "There is no memory for the waves of interface %s.", i->name);
    return CARDAN_TLM_OK;
}

int cardan_tlm_set_motion1d(cardan_tlm *t, int id, double time, double position, double speed) {
    double came[TLM_MOST], motion[2] = {position, speed}, force;
    int code, there = 0, news;
    interface *i = shaped(t, id, LINE_1D, &code);
    if (!i) return code;
    code = may_tell(t, i, time, motion, 2, &news);
    if (code == CARDAN_TLM_OK && news) code = sample_for(t, i, time, came, &there);
    if (code != CARDAN_TLM_OK || !news) return code;
    double z = i->hydraulic ? i->p.Zf : -i->p.Zf;
    if (there && (code = damp(t, i, came[0], came + 3)) != CARDAN_TLM_OK) return code;
    force = there ? came[3] + z * speed : i->first[0] + z * i->flow[0];
    double sample[4] = {time, position, speed, (i->hydraulic ? force : -force) + i->p.Zf * speed};
    return tell(t, i, sample);
}

int cardan_tlm_set_motion3d(cardan_tlm *t, int id, double time, const double position[3], const double orientation[9], const double speed[3],
                            const double ang_speed[3]) {
    double came[TLM_MOST], motion[18], load[6], sample[TLM_MOST] = {time}, away[3];
    int code, there = 0, news;
    interface *i = shaped(t, id, LINE_3D, &code);
    if (!i) return code;
    memcpy(motion, position, 24), memcpy(motion + 3, orientation, 72), memcpy(motion + 12, speed, 24), memcpy(motion + 15, ang_speed, 24);
    code = may_tell(t, i, time, motion, 18, &news);
    if (code == CARDAN_TLM_OK && news) code = sample_for(t, i, time, came, &there);
    if (code != CARDAN_TLM_OK || !news) return code;
    if (there && (code = damp(t, i, came[0], came + 19)) != CARDAN_TLM_OK) return code;
    const double *a = i->p.cX_A_cG;
    if (there) tlm_apply(a, came + 19, load), tlm_apply(a, came + 22, load + 3);
    for (int k = 0; k < 6; k++) {
        double z = k < 3 ? i->p.Zf : i->p.Zfr, v = motion[12 + k];
        double force = there ? load[k] - z * v : i->first[k] - z * i->flow[k];
        load[k] = -force + z * v; /* the wave that leaves */
    }
    tlm_apply_transposed(a, position, away);
    for (int k = 0; k < 3; k++) sample[1 + k] = i->p.cX_R_cG_cG[k] + away[k];
    tlm_multiply(orientation, a, sample + 4);
    tlm_apply_transposed(a, speed, sample + 13), tlm_apply_transposed(a, ang_speed, sample + 16);
    tlm_apply_transposed(a, load, sample + 19), tlm_apply_transposed(a, load + 3, sample + 22);
    return tell(t, i, sample);
}

int cardan_tlm_set_value(cardan_tlm *t, int id, double time, double value) {
    int code, news;
    interface *i = shaped(t, id, SIGNAL_OUT, &code);
    if (!i) return code;
    code = may_tell(t, i, time, &value, 1, &news);
    double sample[2] = {time, value};
    return code == CARDAN_TLM_OK && news ? tell(t, i, sample) : code;
}

int cardan_tlm_get_params(const cardan_tlm *t, int id, cardan_tlm_params *p) {
    interface *i = find(t, id);
    memset(p, 0, sizeof *p);
    if (i) *p = i->p;
    return i || id == CARDAN_TLM_UNCONNECTED ? CARDAN_TLM_OK : CARDAN_TLM_BAD_ARGUMENT;
}

long cardan_tlm_extrapolations(const cardan_tlm *t) { return t->extrapolations; }

/* --- the end --- */
int cardan_tlm_await_close_permission(cardan_tlm *t) {
    tlm_message m;
    int code = CARDAN_TLM_OK;
    if (t->closed) return CARDAN_TLM_OK;
    if (!t->connected) return bad(t, "The session is not connected to a manager yet.");
    for (int k = 0; k < t->interface_count && code == CARDAN_TLM_OK && t->checked; k++) code = send_unsent(t, t->interfaces + k);
    if (code == CARDAN_TLM_OK) code = tlm_line_send(&t->line, TLM_CLOSE_REQUEST, -1, NULL, 0);
    do {
        if (code == CARDAN_TLM_OK) code = tlm_line_receive(&t->line, &m); /* others may still be sending: no more use for it */
    } while (code == CARDAN_TLM_OK && m.kind != TLM_CLOSE_PERMISSION);
    if (code != CARDAN_TLM_OK) return broken(t, code);
    t->closed = 1;
    tlm_line_close(&t->line);
    return CARDAN_TLM_OK;
}

void cardan_tlm_free(cardan_tlm *t) {
    if (!t) return;
    if (t->checked && !t->closed && !t->failed) cardan_tlm_await_close_permission(t);
    tlm_line_close(&t->line);
    for (int k = 0; k < t->interface_count; k++) {
        tlm_history_free(&t->interfaces[k].came);
        tlm_history_free(&t->interfaces[k].damped);
        tlm_history_free(&t->interfaces[k].unsent);
    }
    for (int k = 0; k < t->parameter_count; k++) free(t->parameters[k].name), free(t->parameters[k].value);
    free(t->interfaces), free(t->parameters), free(t->line.inbox), free(t->line.outbox), free(t);
}
