// A mass on a spring, with a line at its other side: mass.c once more, with the class that tools know.
//
//   cc -std=c99 -O2 -c ../c/cardan_tlm*.c && c++ -std=c++11 -O2 -I../c -I../cpp mass.cpp cardan_tlm*.o -lm -o mass
#include "TLMPlugin.h"
#include <cmath>

static double Parameter(TLMPlugin &plugin, const char *what, const char *usual) {
    std::string name, value;
    plugin.GetParameterValue(plugin.RegisterComponentParameter(what, usual), name, value);
    return std::strtod(value.c_str(), NULL);
}

int main(int count, char **words) {
    if (count < 6) return std::fprintf(stderr, "usage: %s name start end maxstep host:port [modelfile]\n", words[0]), 2;
    double start = std::strtod(words[2], NULL), end = std::strtod(words[3], NULL), longest = std::strtod(words[4], NULL);
    TLMPlugin plugin;
    if (!plugin.Init(words[1], start, end, longest, words[5])) return 1;
    const int id = plugin.RegisteTLMInterface("tlm", 1);
    const double m = Parameter(plugin, "m", "1"), k = Parameter(plugin, "k", "1000");
    double x = Parameter(plugin, "x0", "0.01"), v = 0.0;
    bool well = true;
    auto acceleration = [&](double t, double x, double v) {
        double force = 0.0;
        well = plugin.GetForce1D(id, t, x, v, &force) == CARDAN_TLM_OK && well;
        return (force - k * x) / m;
    };
    const long steps = std::lround(std::ceil((end - start) / longest - 1e-6));
    const double h = (end - start) / (double)steps;
    for (long i = 0; i < steps && well; i++) { // the method of Runge and Kutta
        const double t = start + (double)i * h;
        const double a1 = acceleration(t, x, v), v2 = v + h / 2 * a1;
        const double a2 = acceleration(t + h / 2, x + h / 2 * v, v2), v3 = v + h / 2 * a2;
        const double a3 = acceleration(t + h / 2, x + h / 2 * v2, v3), v4 = v + h * a3;
        const double a4 = acceleration(t + h, x + h * v3, v4);
        x += h / 6 * (v + 2 * v2 + 2 * v3 + v4), v += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
        well = plugin.SetMotion1D(id, start + (double)(i + 1) * h, x, v) == CARDAN_TLM_OK && well;
    }
    if (!well || plugin.AwaitClosePermission() != CARDAN_TLM_OK) return 1;
    std::printf("%s %.17g %.17g\n", words[1], x, v);
    return 0;
}
