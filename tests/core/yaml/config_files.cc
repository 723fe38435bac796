#include "tests/core/yaml/config_files.h"

#include <google/protobuf/text_format.h>
#include <stdlib.h>

#include <fstream>
#include <stdexcept>

#include "core/yaml/yaml_reader.h"

namespace trestle::yaml::test {

namespace fs = std::filesystem;

ConfigFiles::ConfigFiles() {
  std::string pattern = (fs::temp_directory_path() / "trestle-config-XXXXXX").string();
  if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no temporary folder");
  folder_ = pattern;
}

ConfigFiles::~ConfigFiles() {
  std::error_code none;
  fs::remove_all(folder_, none);
}

std::string ConfigFiles::write(const std::string& name, const std::string& text) const {
  const fs::path path = folder_ / name;
  fs::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << text;
  return path.string();
}

std::vector<std::string> problems_in(const ConfigFiles& files, const std::string& file,
                                     google::protobuf::Message& into,
                                     const std::vector<std::string>& overrides) {
  SourceMap where;
  try {
    read_yaml(file, overrides, into, where);
  } catch (const ConfigError& error) {
    const std::string folder = files.folder().string() + "/";
    std::vector<std::string> lines = error.lines();
    for (std::string& line : lines)
      for (auto at = line.find(folder); at != std::string::npos; at = line.find(folder))
        line.erase(at, folder.size());
    return lines;
  }
  return {};
}

std::vector<std::string> problems_of(const std::string& text,
                                     google::protobuf::Message& into,
                                     const std::vector<std::string>& overrides) {
  const ConfigFiles files;
  return problems_in(files, files.write("test.yaml", text), into, overrides);
}

std::string text_of(const google::protobuf::Message& message) {
  std::string text;
  google::protobuf::TextFormat::PrintToString(message, &text);
  return text;
}

const char* const kTwoSiteFrame =
    R"(# two_site_frame/test.yaml: both ground-floor columns are specimens, each in its own laboratory
test: two-site frame
mode: simulated            # simulated | pseudo-dynamic | continuous | real-time
time_step: 1/1024 s        # quantities carry their unit; plain numbers are SI; arithmetic like 1/1024 is allowed
seed: 7

excitation:
  record: synthetic        # or a file: elcentro.csv, RSN6_IMPVALL.AT2
  scale: 0.4

numerical:
  frame:
    nodes:    {floor_w: [0, 3 m], floor_e: [6 m, 3 m], roof_w: [0, 6 m], roof_e: [6 m, 6 m]}
    supports: [{nodes: [floor_w, floor_e], fixed: [y]}]      # the columns below are in the laboratories
    sections: {column: {E: 210 GPa, A: 78.1 cm2, I: 5696 cm4}, beam: {E: 210 GPa, A: 62.6 cm2, I: 11770 cm4}}
    members:
      - {from: floor_w, to: roof_w, section: column}
      - {from: floor_e, to: roof_e, section: column}
      - {from: floor_w, to: floor_e, section: beam}
      - {from: roof_w,  to: roof_e, section: beam}
    floors:   [{nodes: [floor_w, floor_e], mass: 12 t, rotational_inertia: 500 kg.m2},   # mass: the floor's, shared by its nodes in x and y; inertia: each node's; rigid: true would tie their x
               {nodes: [roof_w, roof_e],   mass: 10 t, rotational_inertia: 500 kg.m2}]
    damping:  {rayleigh: {ratio: 0.02, modes: [1, 2]}}
  integrator: explicit-newmark

sites:
  west:
    interface: [floor_w.x, floor_w.rz]
    loading_frame: identity                  # one actuator per interface DOF
    limits:    {interface: {x: 60 mm, rz: 20 mrad}, actuators: [{displacement: 60 mm, rate: 400 mm/s, force: 250 kN}, {displacement: 20 mrad, rate: 130 mrad/s, force: 400 kN.m}]}
    compensator: {kind: ats, expected_delay: 12 ms}
    rig:
      actuators: [{kind: second-order, frequency: 18 Hz, damping: 0.7}, {kind: second-order, frequency: 18 Hz, damping: 0.7}]
      specimen:  {kind: column, E: 210 GPa, A: 78.1 cm2, I: 5696 cm4, height: 3 m, hysteresis: {kind: bilinear, yield_moment: 180 kN.m, hardening: 0.03}}
      noise:     [{displacement: 2 um, force: 20 N}, {displacement: 1 urad, force: 10 N.m}]     # one per actuator
  east:
    like: west               # the same, but
    interface: [floor_e.x, floor_e.rz]
)";

}  // namespace trestle::yaml::test
