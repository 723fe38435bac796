#include "tests/system/lab_run.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>

#include "core/config/source_map.h"
#include "core/config/yaml_reader.h"
#include "core/types/setting_error.h"
#include "numerical/frame/numerical_catalog.h"
#include "proto/config.pb.h"
#include "tests/system/memory_recorder.h"
#include "virtual-lab/lab_catalog.h"
#include "virtual-lab/virtual_lab.h"

namespace trestle::testing {
namespace {

constexpr const char* kSoftware = "test";

/// test.yaml in a folder of its own, as long as this lives.
class TestFile {
 public:
  explicit TestFile(const std::string& text) {
    std::string pattern =
        (std::filesystem::temp_directory_path() / "trestle_lab_XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr)
      throw std::runtime_error("no temporary folder");
    folder_ = pattern;
    std::ofstream(folder_ / "test.yaml") << text;
  }
  TestFile(const TestFile&) = delete;
  TestFile& operator=(const TestFile&) = delete;
  ~TestFile() { std::filesystem::remove_all(folder_); }

  std::string path() const { return (folder_ / "test.yaml").string(); }
  /// The line without the folder.
  std::string shortened(std::string line) const {
    const std::string prefix = folder_.string() + "/";
    for (std::size_t at = line.find(prefix); at != std::string::npos;
         at = line.find(prefix))
      line.erase(at, prefix.size());
    return line;
  }

 private:
  std::filesystem::path folder_;
};

/// All that the program builds before it starts a test.
struct Setup {
  config::Test test;
  SourceMap where;
  std::unique_ptr<NumericalSubstructure> substructure;
  IntegratorSettings integrator;
  std::vector<LabSite> sites;
  std::vector<std::string> problems;

  void attempt(const std::function<void()>& part) {
    try {
      part();
    } catch (const SettingError& error) {
      for (const std::string& line : where.explain(error))
        if (std::find(problems.begin(), problems.end(), line) == problems.end())
          problems.push_back(line);
    }
  }
};

void build_sites(Setup& setup) {
  for (int i = 0; i < setup.test.sites_size(); ++i)
    setup.attempt([&] {
      const config::Site& site = setup.test.sites(i);
      const std::string path = "sites[" + std::to_string(i) + "]";
      LabSite here{site_settings(site, kSoftware, 1, path), make_rig(site, path),
                   std::make_unique<MemoryRecorder>("")};
      setup.sites.push_back(std::move(here));
    });
}

std::unique_ptr<Setup> set_up(const std::string& yaml,
                              const std::vector<std::string>& overrides) {
  const TestFile file(yaml);
  auto setup = std::make_unique<Setup>();
  try {
    read_yaml(file.path(), overrides, setup->test, setup->where);
    setup->attempt([&] { check_test(setup->test); });
    setup->attempt([&] {
      setup->substructure =
          make_numerical(setup->test, numerical_parts(setup->test), nullptr);
      setup->integrator =
          integrator_settings(setup->test, kSoftware, setup->substructure->steps());
      setup->integrator.session.fill(0x5a);  // any, but not the one that means none
    });
    if (!setup->test.undivided()) build_sites(*setup);
  } catch (const ConfigError& error) {
    setup->problems = error.lines();
  }
  for (std::string& line : setup->problems) line = file.shortened(line);
  return setup;
}

}  // namespace

Eigen::MatrixXd LabRun::rows(const std::string& part) const {
  Eigen::MatrixXd found(0, results.cols());
  for (std::size_t i = 0; i < channels.size(); ++i) {
    if (channels[i].name.find(part) == std::string::npos) continue;
    found.conservativeResize(found.rows() + 1, Eigen::NoChange);
    found.bottomRows(1) = results.row(static_cast<Eigen::Index>(i));
  }
  return found;
}

Eigen::VectorXd LabRun::row(const std::string& name) const {
  for (std::size_t i = 0; i < channels.size(); ++i)
    if (channels[i].name == name) return results.row(static_cast<Eigen::Index>(i));
  ADD_FAILURE() << "no channel " << name;
  return Eigen::VectorXd::Zero(results.cols());
}

LabRun run_lab(const std::string& yaml, const std::vector<std::string>& overrides) {
  const std::unique_ptr<Setup> setup = set_up(yaml, overrides);
  for (const std::string& line : setup->problems) ADD_FAILURE() << line;
  LabRun run;
  if (!setup->problems.empty()) return run;
  MemoryRecorder recorder("result");
  VirtualLab lab(setup->integrator, *setup->substructure, recorder, std::move(setup->sites),
                 nullptr, {});
  lab.run([] { return true; });
  run.report = lab.integrator().report();
  run.channels = recorder.channels;
  const auto rows = static_cast<Eigen::Index>(run.channels.size());
  const auto values = static_cast<Eigen::Index>(recorder.values().size());
  run.results = Eigen::Map<const Eigen::MatrixXd>(recorder.values().data(), rows,
                                                  rows > 0 ? values / rows : 0);
  return run;
}

std::vector<std::string> complaints(const std::string& yaml,
                                    const std::vector<std::string>& overrides) {
  return set_up(yaml, overrides)->problems;
}

double difference(const Eigen::MatrixXd& one, const Eigen::MatrixXd& other) {
  EXPECT_EQ(one.rows(), other.rows());
  EXPECT_EQ(one.cols(), other.cols());
  if (one.rows() != other.rows() || one.cols() != other.cols() || one.size() == 0)
    return 1e300;
  return (one - other).cwiseAbs().maxCoeff() / other.cwiseAbs().maxCoeff();
}

}  // namespace trestle::testing
