#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <memory>
#include <string>
#include <vector>

#include "composition/numerical/load_factory.h"
#include "composition/numerical/model_factory.h"
#include "composition/numerical/numerical_factory.h"
#include "core/yaml/config_error.h"
#include "core/yaml/yaml_reader.h"
#include "numerical/integration/static_equilibrium.h"
#include "numerical/structure/modes.h"
#include "proto/config/test.pb.h"

namespace trestle::testing {

/// A test as a user writes it.
inline config::Test read_test(const std::string& text) {
  static int count = 0;
  const std::string file = ::testing::TempDir() + "/structure_" +
                           std::to_string(::getpid()) + "_" + std::to_string(++count) +
                           ".yaml";
  std::ofstream(file) << text;
  config::Test test;
  yaml::SourceMap where;
  yaml::read_yaml(file, {}, test, where);
  return test;
}

inline structure::StructuralModel structure_of(const config::Test& test) {
  return composition::make_structure(test.numerical(), {}, "numerical", &test.excitation());
}

/// Displacements under gravity.
inline Eigen::VectorXd at_rest(const config::Test& test,
                               const structure::StructuralModel& structure) {
  const std::vector<composition::LoadCase> loads =
      composition::make_load_cases(test.excitation(), structure, "excitation");
  return integration::static_equilibrium(
      structure,
      composition::make_gravity_load(test.excitation(), structure, loads, "excitation"), 1);
}

/// A ground motion of the anchors: of the source, or of the data beside it.
inline std::string record(const std::string& name) {
  const std::filesystem::path source(TRESTLE_SOURCE_DIR);
  const std::filesystem::path own = source / "tests/data/records" / name;
  return (std::filesystem::exists(own) ? own : source / "../shared/data" / name).string();
}
inline bool records_are_here(std::initializer_list<const char*> names) {
  return std::all_of(names.begin(), names.end(), [](const char* name) {
    return std::filesystem::exists(record(name));
  });
}

/// A copy of a record whose first sample is zero: the structure of the anchors begins with
/// a(0) = 0.
inline std::string record_from_rest(const std::string& name) {
  const std::string copy =
      ::testing::TempDir() + "/" + std::to_string(::getpid()) + "_" + name;
  std::ifstream from(record(name));
  std::ofstream to(copy);
  std::string line;
  bool first = true;
  while (std::getline(from, line)) {
    const bool number =
        !line.empty() && std::string("0123456789-+. ").find(line[0]) != std::string::npos;
    if (number && first) {
      line = line.substr(0, line.find(',') + 1) + "0";
      first = false;
    }
    to << line << "\n";
  }
  return copy;
}

/// Columns of a run from its first step to its last.
class Histories {
 public:
  explicit Histories(const config::Test& test)
      : numerical_(composition::make_numerical(test, {}, nullptr)) {
    row_.resize(numerical_->channels().size());
    numerical_->correct(-1, {});
    for (std::int64_t k = 0; k < numerical_->steps(); ++k) {
      numerical_->predict(k, {});
      EXPECT_TRUE(numerical_->correct(k, {}));
      numerical_->record(row_);
      rows_.push_back(row_);
    }
  }

  std::vector<double> of(const std::string& channel) const {
    const Channels& channels = numerical_->channels();
    for (std::size_t i = 0; i < channels.size(); ++i)
      if (channels[i].name == channel) {
        std::vector<double> values;
        for (const auto& row : rows_) values.push_back(row[i]);
        return values;
      }
    ADD_FAILURE() << channel << " is not recorded";
    return {0.0};
  }

  /// The value of the largest magnitude, with its sign.
  double peak(const std::string& channel) const {
    double largest = 0.0;
    for (const double value : of(channel))
      if (std::abs(value) > std::abs(largest)) largest = value;
    return largest;
  }
  double last(const std::string& channel) const { return of(channel).back(); }

 private:
  std::unique_ptr<NumericalSubstructure> numerical_;
  std::vector<double> row_;
  std::vector<std::vector<double>> rows_;
};

}  // namespace trestle::testing
