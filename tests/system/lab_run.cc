#include "tests/system/lab_run.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <memory>

#include "composition/processes/hybrid_test_nodes.h"
#include "composition/processes/hybrid_test_setup.h"
#include "core/journal/null_recorder.h"
#include "tests/system/in_memory_recorder.h"

namespace trestle::testing {
namespace {

constexpr const char* kSoftware = "test";

/// test.yaml in a temporary folder, which exists as long as this object.
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

/// @returns null if something is wrong; then `problems` says what
std::unique_ptr<composition::HybridTestSetup> set_up(
    const std::string& yaml, const std::vector<std::string>& overrides,
    std::vector<std::string>& problems) {
  const TestFile file(yaml);
  try {
    auto setup = composition::load_hybrid_test(
        file.path(), yaml::parse_command_line_overrides(overrides), kSoftware);
    setup->integrator.session.fill(0x5a);  // any, but not the one that means none
    for (composition::LocalSite& site : setup->sites_here)
      site.recorder = std::make_unique<journal::NullRecorder>();
    return setup;
  } catch (const yaml::ConfigError& error) {
    for (const std::string& line : error.lines()) problems.push_back(file.shortened(line));
    return nullptr;
  }
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

std::unique_ptr<composition::HybridTestSetup> set_up_lab(
    const std::string& yaml, const std::vector<std::string>& overrides) {
  std::vector<std::string> problems;
  std::unique_ptr<composition::HybridTestSetup> setup = set_up(yaml, overrides, problems);
  for (const std::string& line : problems) ADD_FAILURE() << line;
  return setup;
}

LabRun run_lab(const std::string& yaml, const std::vector<std::string>& overrides) {
  LabRun run;
  const std::unique_ptr<composition::HybridTestSetup> setup = set_up_lab(yaml, overrides);
  if (setup == nullptr) return run;
  InMemoryRecorder recorder("result");
  composition::HybridTestNodes lab(setup->integrator, *setup->substructure,
                                   recorder.recording(), std::move(setup->sites_here), {});
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
  std::vector<std::string> problems;
  set_up(yaml, overrides, problems);
  return problems;
}

double difference(const Eigen::MatrixXd& one, const Eigen::MatrixXd& other) {
  EXPECT_EQ(one.rows(), other.rows());
  EXPECT_EQ(one.cols(), other.cols());
  if (one.rows() != other.rows() || one.cols() != other.cols() || one.size() == 0)
    return 1e300;
  return (one - other).cwiseAbs().maxCoeff() / other.cwiseAbs().maxCoeff();
}

}  // namespace trestle::testing
