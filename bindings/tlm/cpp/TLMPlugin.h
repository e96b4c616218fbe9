// The class TLMPlugin as tools know it, over the client for C: this header and ../c/cardan_tlm*.c, compiled by a C compiler.
//
//   cc -std=c99 -O2 -c ../c/cardan_tlm*.c && c++ -std=c++11 -I. -I../c tool.cpp cardan_tlm*.o -lm
//
// Methods return CARDAN_TLM_OK or a negative code, which callers written for a void function may ignore: the first
// failure is also told on stderr, and loads are extrapolated after the connection is lost. Where the manager only asks
// for interfaces (mode 1), the process ends with exit code 0 as tools expect, unless ExitWhenAsked(false) was called.
#ifndef TLMPLUGIN_H
#define TLMPLUGIN_H
#include "cardan_tlm.h"
#include <cstdio>
#include <cstdlib>
#include <string>

typedef cardan_tlm_signal_data TLMTimeDataSignal;
typedef cardan_tlm_data1d TLMTimeData1D;
typedef cardan_tlm_data3d TLMTimeData3D;
typedef TLMTimeData3D TLMTimeData; // its name of 2014
typedef cardan_tlm_params TLMConnectionParams;

class TLMPlugin {
public:
    // The factory; the caller deletes the object, which says goodbye to the manager and waits for the other components.
    static TLMPlugin *CreateInstance() { return new TLMPlugin; }
    TLMPlugin() : line(cardan_tlm_new()), told(false), exits(true) {}
    ~TLMPlugin() { cardan_tlm_free(line); }

    bool Init(const std::string &model, double timeStart, double timeEnd, double maxStep, const std::string &server) {
        return line && Checked(cardan_tlm_connect(line, model.c_str(), timeStart, timeEnd, maxStep, server.c_str())) == CARDAN_TLM_OK;
    }
    // As a start script wrote it.
    bool InitFromFile(const std::string &path = "tlm.config") {
        cardan_tlm_config c;
        return line && Checked(cardan_tlm_read_config(line, path.c_str(), &c)) == CARDAN_TLM_OK && Init(c.model, c.start, c.end, c.max_step, c.server);
    }
    const char *LastError() const { return cardan_tlm_error(line); }
    cardan_tlm *Session() { return line; } // for what the client for C offers beyond this class
    void ExitWhenAsked(bool yes) { exits = yes; }

    // The number of the interface, or a negative one: -1 if nothing is connected there.
    int RegisteTLMInterface(const std::string &name, int dimensions = 6, const std::string &causality = "bidirectional", const std::string &domain = "mechanical") {
        int id = cardan_tlm_register_interface(line, name.c_str(), dimensions, causality.c_str(), domain.c_str());
        return id < CARDAN_TLM_UNCONNECTED ? Checked(id) : id;
    }
    int RegisterComponentParameter(const std::string &name, const std::string &value) {
        return Checked(cardan_tlm_register_parameter(line, name.c_str(), value.c_str()), false);
    }
    int GetParameterValue(int parameter, std::string &name, std::string &value) {
        const char *n = "", *v = "";
        int code = cardan_tlm_parameter(line, parameter, &n, &v);
        name = n, value = v;
        return code;
    }
    int SetInitialForce1D(int id, double force) { return Checked(cardan_tlm_set_initial_force1d(line, id, force)); }
    int SetInitialForce3D(int id, double f1, double f2, double f3, double t1, double t2, double t3) {
        const double load[6] = {f1, f2, f3, t1, t2, t3};
        return Checked(cardan_tlm_set_initial_force3d(line, id, load));
    }
    int SetInitialFlow1D(int id, double flow) { return Checked(cardan_tlm_set_initial_flow1d(line, id, flow)); }
    int SetInitialFlow3D(int id, double v1, double v2, double v3, double w1, double w2, double w3) {
        const double flow[6] = {v1, v2, v3, w1, w2, w3};
        return Checked(cardan_tlm_set_initial_flow3d(line, id, flow));
    }
    int SetInitialValue(int id, double value) { return Checked(cardan_tlm_set_initial_value(line, id, value)); }
    int CheckModel() { return Checked(cardan_tlm_check_model(line)); }

    int GetForce1D(int id, double time, double speed, double *force) { return Checked(cardan_tlm_get_force1d(line, id, time, speed, force)); }
    int GetForce1D(int id, double time, double /*position*/, double speed, double *force) { return GetForce1D(id, time, speed, force); }
    int GetForce3D(int id, double time, const double /*position*/[], const double /*orientation*/[], const double speed[], const double ang_speed[], double *force) {
        return Checked(cardan_tlm_get_force3d(line, id, time, speed, ang_speed, force));
    }
    int GetWaveImpedance1D(int id, double time, double *impedance, double *wave) {
        return Checked(cardan_tlm_get_wave_impedance1d(line, id, time, impedance, wave));
    }
    int GetWaveImpedance3D(int id, double time, double *Zt, double *Zr, double *wave) {
        return Checked(cardan_tlm_get_wave_impedance3d(line, id, time, Zt, Zr, wave));
    }
    int GetValueSignal(int id, double time, double *value) { return Checked(cardan_tlm_get_value(line, id, time, value)); }
    int SetMotion1D(int id, double time, double position, double speed) { return Checked(cardan_tlm_set_motion1d(line, id, time, position, speed)); }
    int SetMotion3D(int id, double time, const double position[], const double orientation[], const double speed[], const double ang_speed[]) {
        return Checked(cardan_tlm_set_motion3d(line, id, time, position, orientation, speed, ang_speed));
    }
    int SetValueSignal(int id, double time, double value) { return Checked(cardan_tlm_set_value(line, id, time, value)); }
    int GetConnectionParams(int id, TLMConnectionParams &params) { return cardan_tlm_get_params(line, id, &params); }
    int GetTimeDataSignal(int id, double time, TLMTimeDataSignal &data, bool /*monitoring*/ = false) { return Checked(cardan_tlm_get_data_signal(line, id, time, &data)); }
    int GetTimeData1D(int id, double time, TLMTimeData1D &data) { return Checked(cardan_tlm_get_data1d(line, id, time, &data)); }
    int GetTimeData3D(int id, double time, TLMTimeData3D &data) { return Checked(cardan_tlm_get_data3d(line, id, time, &data)); }
    int AwaitClosePermission() { return Checked(cardan_tlm_await_close_permission(line)); }

    // Pure functions, for parts of a solver that have no session.
    static void GetForce1D(double speed, const TLMTimeData1D &data, const TLMConnectionParams &params, double *force, const std::string &domain = "mechanical") {
        *force = cardan_tlm_force1d(speed, &data, &params, domain == "hydraulic" || domain == "Hydraulic");
    }
    static void GetForce3D(const double /*position*/[], const double /*orientation*/[], const double speed[], const double ang_speed[],
                           const TLMTimeData3D &data, const TLMConnectionParams &params, double *force) {
        cardan_tlm_force3d(speed, ang_speed, &data, &params, force);
    }
    static void GetValueSignal(const TLMTimeDataSignal &data, const TLMConnectionParams &, double *value) { *value = cardan_tlm_value(&data); }

    // The names of 2014: all of three dimensions.
    int GetForce(int id, double time, const double position[], const double orientation[], const double speed[], const double ang_speed[], double *force) {
        return GetForce3D(id, time, position, orientation, speed, ang_speed, force);
    }
    static void GetForce(const double position[], const double orientation[], const double speed[], const double ang_speed[], const TLMTimeData &data,
                         const TLMConnectionParams &params, double *force) {
        GetForce3D(position, orientation, speed, ang_speed, data, params, force);
    }
    int SetMotion(int id, double time, const double position[], const double orientation[], const double speed[], const double ang_speed[]) {
        return SetMotion3D(id, time, position, orientation, speed, ang_speed);
    }
    int GetTimeData(int id, double time, TLMTimeData &data) { return GetTimeData3D(id, time, data); }

private:
    TLMPlugin(const TLMPlugin &);
    TLMPlugin &operator=(const TLMPlugin &);

    // `is_code`: whether a positive number is a code at all.
    int Checked(int code, bool is_code = true) {
        if (code == CARDAN_TLM_DONE && is_code && exits) std::exit(0);
        if (code < 0 && !told) {
            told = true;
            std::fprintf(stderr, "TLMPlugin: %s\n", cardan_tlm_error(line));
        }
        return code;
    }

    cardan_tlm *line;
    bool told, exits;
};
#endif
