#include "tests/cli/program_test_case.h"

#include <fstream>
#include <sstream>
#include <stdexcept>

namespace trestle::cli {

namespace fs = std::filesystem;

namespace {

std::string content(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  EXPECT_TRUE(file) << path;
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

}  // namespace

const std::vector<std::string> kShort{"--set", "duration=0.5 s"};

const char* const kSaggingBracket = R"(test: sagging bracket
mode: pseudo-dynamic
time_step: 10 ms
duration: 0.1 s
pseudo_dynamic: {rate: 12 mm/s, settle: 5 ms, average: 5 ms}
excitation:
  record: synthetic
  direction: y
  gravity: {}
numerical:
  frame:
    nodes: {a: [0 m, 0 m], tip: [3 m, 0 m]}
    supports: [{nodes: a, fixed: all}]
    sections: {s: {E: 210 GPa, A: 50 cm2, I: 1000 cm4, mass_per_length: 40 kg/m}}
    members: [{name: m, from: a, to: tip, section: s}]
    masses: [{node: tip, mass: 2 t, rotational_inertia: 100 kg.m2}]
  integrator: operator-splitting
sites:
  lab:
    interface: tip.y
    gravity: apply
    rig:
      actuators: [ideal]
      specimen: {kind: linear, stiffness: [[2e5]]}
)";

const char* const kHeavySpecimen =
    "test: sdof\n"
    "time_step: 1/1024 s\n"
    "excitation: {record: synthetic, synthetic: {duration: 6 s, peak: 3 m/s2}}\n"
    "numerical:\n"
    "  shear_building:\n"
    "    storeys: {s: {mass: 11 t, stiffness: 1 MN/m}}\n"
    "    damping: {rayleigh: {mass_factor: 0.4, stiffness_factor: 0}}\n"
    "  integrator: explicit-newmark\n"
    "sites:\n"
    "  lab:\n"
    "    interface: [s.x]\n"
    "    limits:\n"
    "      interface: {s.x: 100 mm}\n"
    "      actuators: [{displacement: 100 mm, rate: 2 m/s, force: 250 kN}]\n"
    "    rig:\n"
    "      specimen: {kind: linear, stiffness: [[8e5]], mass: [[9000]]}\n"
    "      actuators: [{kind: ideal}]\n";

std::vector<std::string> operator+(std::vector<std::string> left,
                                   const std::vector<std::string>& right) {
  left.insert(left.end(), right.begin(), right.end());
  return left;
}

ProgramTestCase::ProgramTestCase() {
  std::string name = (fs::temp_directory_path() / "trestle-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
  folder_ = name;
}

ProgramTestCase::~ProgramTestCase() {
  std::error_code none;
  fs::remove_all(folder_, none);
}

Ended ProgramTestCase::trestle(const std::vector<std::string>& arguments) const {
  Program program(arguments, folder());
  const int code = program.exit_code();
  return {code, program.out(), program.err()};
}

std::string ProgramTestCase::example(const std::string& name) {
  std::string path = TRESTLE_SOURCE_DIR;
  path += "/examples/two_site_frame/";
  path += name;
  return path;
}

std::string ProgramTestCase::shipped(const std::string& name) {
  return content(example(name));
}

std::string ProgramTestCase::read(const std::string& name) const {
  return content(path(name));
}

void ProgramTestCase::write(const std::string& name, const std::string& text) const {
  std::ofstream(path(name), std::ios::binary) << text;
}

bool ProgramTestCase::exists(const std::string& name) const {
  return fs::exists(path(name));
}

std::string ProgramTestCase::exported(const std::string& run, bool ticks) const {
  std::vector<std::string> arguments{"export", run, "--csv", run + ".csv"};
  if (ticks) arguments.emplace_back("--ticks");
  const Ended ended = trestle(arguments);
  EXPECT_EQ(ended.code, 0) << ended.err;
  return read(run + ".csv");
}

std::string ProgramTestCase::edited(const std::string& from, const std::string& to) const {
  std::string text = shipped("test.yaml");
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  if (at != std::string::npos) text.replace(at, from.size(), to);
  write("test.yaml", text);
  return "test.yaml";
}

}  // namespace trestle::cli
