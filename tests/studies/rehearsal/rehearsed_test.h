#pragma once

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>

namespace trestle::testing {

// A storey in each of two laboratories, set going at once, so that rigs are far
// from home when something happens.
inline const char* const kRehearsedTest = R"(test: two storeys
time_step: 1/128 s
duration: 1 s
seed: 3
excitation: {record: synthetic, synthetic: {duration: 0.5 s, peak: 4 m/s2}}
numerical:
  shear_building:
    storeys: {low: {mass: 1 t, stiffness: 80 kN/m}, high: {mass: 1 t, stiffness: 90 kN/m}}
    damping: {rayleigh: {mass_factor: 0.5, stiffness_factor: 0}}
sites:
  west:
    interface: [low.x]
    control_tick: 1/512 s
    limits: {interface: {x: 200 mm}, actuators: [{displacement: 200 mm, rate: 2 m/s, force: 50 kN}]}
    compensator: {kind: ats, expected_delay: 3 ms}
    rig:
      actuators: [{kind: second-order, frequency: 60 Hz, damping: 0.7}]
      specimen:  {kind: linear, stiffness: [[40000]]}
      noise: [{displacement: 1 um, force: 1 N}]
  east:
    like: west
    interface: [high.x]
)";

/// The test in a temporary folder, which exists as long as this object.
class RehearsedTest {
 public:
  RehearsedTest() {
    std::string pattern =
        (std::filesystem::temp_directory_path() / "trestle_campaign_XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no folder");
    folder_ = pattern;
    std::ofstream(path()) << kRehearsedTest;
  }
  RehearsedTest(const RehearsedTest&) = delete;
  RehearsedTest& operator=(const RehearsedTest&) = delete;
  ~RehearsedTest() { std::filesystem::remove_all(folder_); }
  std::string path() const { return (folder_ / "test.yaml").string(); }

 private:
  std::filesystem::path folder_;
};

}  // namespace trestle::testing
