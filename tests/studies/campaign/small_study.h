#pragma once

#include <fstream>
#include <string>

#include "studies/campaign/study_factory.h"
#include "tests/core/journal/temporary_folder.h"

namespace trestle::testing {

/// One storey on a spring in a laboratory, half a second of it.
inline const char* const kSmallTest = R"(test: storey
time_step: 2 ms
seed: 3
duration: 0.5 s
excitation: {record: synthetic, synthetic: {duration: 2 s}}
numerical:
  shear_building:
    storeys: {ground: {mass: 20 t}, top: {mass: 15 t, stiffness: 20 kN/mm}}
    damping: {rayleigh: {ratio: 3 %, modes: [1, 2]}}
  integrator: explicit-newmark
sites:
  lab:
    interface: [ground.x]
    compensator: {kind: polynomial, delay: 8 ms}
    rig:
      actuators: [{kind: first-order, frequency: 20 Hz}]
      specimen: {kind: linear, stiffness: [[20e6]]}
)";

/// A folder with test.yaml and study.yaml.
class SmallStudy {
 public:
  explicit SmallStudy(const std::string& parameters, const std::string& head = "runs: 6\n",
                      const std::string& test = kSmallTest) {
    write("test.yaml", test);
    write("study.yaml",
          "study: small\ntest: test.yaml\nseed: 1\n" + head + "parameters:\n" + parameters);
  }
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(file(name), std::ios::binary) << text;
  }
  std::string file(const std::string& name) const { return folder_.file(name); }
  campaign::StudyFile read(const std::vector<std::string>& overrides = {}) const {
    return campaign::read_study(file("study.yaml"), overrides, "test");
  }
  campaign::StudyPlan plan() const { return campaign::study_plan(read()); }
  /// With the place, without the folder.
  std::string complaint() const {
    std::string sentence = sentence_of([&] { plan(); });
    const std::string prefix = folder_.path() + "/";
    for (std::size_t at = sentence.find(prefix); at != std::string::npos;
         at = sentence.find(prefix))
      sentence.erase(at, prefix.size());
    return sentence;
  }

 private:
  TemporaryFolder folder_;
};

}  // namespace trestle::testing
