// What probe.c does, through the class.
#include "TLMPlugin.h"
#include <iostream>
#include <sstream>
#include <vector>

static TLMPlugin *plugin;

static void answer(int code, const double *v, int many) {
    if (code < 0) std::printf("error %d %s\n", code, plugin->LastError());
    else if (code == CARDAN_TLM_DONE) std::puts("done");
    else {
        std::printf("ok");
        for (int k = 0; k < many; k++) std::printf(" %.17g", v[k]);
        std::putchar('\n');
    }
}

static void obey(const std::vector<std::string> &words) {
    std::vector<double> a(32);
    for (size_t k = 1; k < words.size() && k < 32; k++) a[k - 1] = std::strtod(words[k].c_str(), NULL);
    double v[32] = {0};
    const std::string &w = words[0];
    int id = (int)a[0], code = 0, many = 0;
    double *b = &a[0], t = a[1];
    TLMTimeData1D d1;
    TLMTimeData3D d3;
    TLMTimeDataSignal ds;
    TLMConnectionParams p;
    if (w == "connect") code = plugin->Init(words[1], a[1], a[2], a[3], words[5]) ? 0 : CARDAN_TLM_NO_MANAGER;
    else if (w == "config") {
        cardan_tlm_config c;
        code = cardan_tlm_read_config(plugin->Session(), words[1].c_str(), &c);
        if (!code) { std::printf("ok %s %s %.17g %.17g %.17g\n", c.model, c.server, c.start, c.end, c.max_step); return; }
    } else if (w == "iface") {
        code = plugin->RegisteTLMInterface(words[1], (int)a[1], words[3], words[4]);
        if (code >= -1) v[0] = code, code = 0;
        many = 1;
    } else if (w == "param") {
        std::string name, value;
        code = plugin->RegisterComponentParameter(words[1], words[2]);
        if (code >= 0) { plugin->GetParameterValue(code, name, value), std::printf("ok %s %s\n", name.c_str(), value.c_str()); return; }
    } else if (w == "force1") code = plugin->SetInitialForce1D(id, a[1]);
    else if (w == "force3") code = plugin->SetInitialForce3D(id, a[1], a[2], a[3], a[4], a[5], a[6]);
    else if (w == "flow1") code = plugin->SetInitialFlow1D(id, a[1]);
    else if (w == "flow3") code = plugin->SetInitialFlow3D(id, a[1], a[2], a[3], a[4], a[5], a[6]);
    else if (w == "first") code = plugin->SetInitialValue(id, a[1]);
    else if (w == "check") code = plugin->CheckModel();
    else if (w == "get1") code = plugin->GetForce1D(id, t, 0.0, a[2], v), many = 1;
    else if (w == "get3") code = plugin->GetForce(id, t, NULL, NULL, b + 2, b + 5, v), many = 6;
    else if (w == "wave1") code = plugin->GetWaveImpedance1D(id, t, v, v + 1), many = 2;
    else if (w == "wave3") code = plugin->GetWaveImpedance3D(id, t, v, v + 1, v + 2), many = 8;
    else if (w == "value") code = plugin->GetValueSignal(id, t, v), many = 1;
    else if (w == "set1") code = plugin->SetMotion1D(id, t, a[2], a[3]);
    else if (w == "set3") code = plugin->SetMotion(id, t, b + 2, b + 5, b + 14, b + 17);
    else if (w == "setvalue") code = plugin->SetValueSignal(id, t, a[2]);
    else if (w == "params") {
        code = plugin->GetConnectionParams(id, p);
        v[0] = p.Delay, v[1] = p.Zf, v[2] = p.Zfr, v[3] = p.alpha, v[28] = p.mode;
        for (int k = 0; k < 3; k++) v[4 + k] = p.cX_R_cG_cG[k], v[16 + k] = p.Nom_cI_R_cX_cX[k];
        for (int k = 0; k < 9; k++) v[7 + k] = p.cX_A_cG[k], v[19 + k] = p.Nom_cI_A_cX[k];
        many = 29;
    } else if (w == "datas") code = plugin->GetTimeDataSignal(id, t, ds), v[0] = ds.time, TLMPlugin::GetValueSignal(ds, p, v + 1), many = 2;
    else if (w == "data1") code = plugin->GetTimeData1D(id, t, d1), v[0] = d1.time, v[1] = d1.Position, v[2] = d1.Velocity, v[3] = d1.GenForce, many = 4;
    else if (w == "data3") {
        code = plugin->GetTimeData(id, t, d3), v[0] = d3.time, many = 25;
        for (int k = 0; k < 3; k++) v[1 + k] = d3.Position[k];
        for (int k = 0; k < 9; k++) v[4 + k] = d3.RotMatrix[k];
        for (int k = 0; k < 6; k++) v[13 + k] = d3.Velocity[k], v[19 + k] = d3.GenForce[k];
    } else if (w == "pure1") {
        code = plugin->GetTimeData1D(id, t, d1), plugin->GetConnectionParams(id, p);
        TLMPlugin::GetForce1D(a[2], d1, p, v, a[3] != 0.0 ? "hydraulic" : "mechanical"), many = 1;
    } else if (w == "pure3") {
        code = plugin->GetTimeData3D(id, t, d3), plugin->GetConnectionParams(id, p);
        TLMPlugin::GetForce3D(NULL, NULL, b + 2, b + 5, d3, p, v), many = 6;
    } else if (w == "seen") {
        code = plugin->GetTimeData3D(id, t, d3), plugin->GetConnectionParams(id, p);
        cardan_tlm_seen_from_component(&d3, &p, v, v + 3), many = 12;
    } else if (w == "cubic") code = cardan_tlm_set_interpolation(plugin->Session(), CARDAN_TLM_CUBIC);
    else if (w == "feedback") code = cardan_tlm_set_filter_feedback(plugin->Session(), a[0]);
    else if (w == "patience") code = cardan_tlm_set_patience(plugin->Session(), a[0], a[1]);
    else if (w == "extrapolations") v[0] = (double)cardan_tlm_extrapolations(plugin->Session()), many = 1;
    else if (w == "close") code = plugin->AwaitClosePermission();
    else { std::printf("error 0 unknown %s\n", w.c_str()); return; }
    answer(code, v, many);
}

int main() {
    plugin = TLMPlugin::CreateInstance();
    std::string line, word;
    while (std::getline(std::cin, line)) {
        std::istringstream in(line);
        std::vector<std::string> words;
        while (in >> word) words.push_back(word);
        if (!words.empty()) obey(words);
        std::fflush(stdout);
    }
    delete plugin;
    return 0;
}
