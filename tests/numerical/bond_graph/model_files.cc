#include "tests/numerical/bond_graph/model_files.h"

#include <gtest/gtest.h>

#include <fstream>

#include "core/yaml/config_error.h"
#include "numerical/bond_graph/analysis.h"

namespace trestle::bond_graph {
namespace {

std::string written(const std::string& yaml) {
  const auto* test = testing::UnitTest::GetInstance()->current_test_info();
  const std::string file =
      testing::TempDir() + test->test_suite_name() + "." + test->name() + ".yaml";
  std::ofstream(file) << yaml;
  return file;
}

void derive(const GraphModel& model) {
  if (model.has_partition) {
    substructure(model);
    return;
  }
  const auto outputs = requested_outputs(model);
  make_system(model.graph, analyse(model.graph, outputs), outputs);
}

}  // namespace

GraphModel model_of(const std::string& yaml) {
  yaml::SourceMap where;
  return read_graph_model(written(yaml), {}, where);
}

std::string mistakes_in(const std::string& yaml) {
  const std::string file = written(yaml);
  yaml::SourceMap where;
  std::string text;
  const auto add = [&](const std::vector<std::string>& lines) {
    for (const std::string& line : lines)
      text += line.substr(line.starts_with(file) ? file.size() + 1 : 0) + "\n";
  };
  try {
    const GraphModel model = read_graph_model(file, {}, where);
    try {
      derive(model);
    } catch (const SettingError& error) {
      add(where.explain(error));
    }
  } catch (const yaml::ConfigError& error) {
    add(error.lines());
  }
  return text;
}

GraphModel example_model(const std::string& name) {
  yaml::SourceMap where;
  return read_graph_model(std::string(TRESTLE_SOURCE_DIR) + "/examples/bond_graph/" + name,
                          {}, where);
}

}  // namespace trestle::bond_graph
