#include "cli/bondgraph.h"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <sstream>

#include "cli/bondgraph_verbs.h"
#include "cli/exit_code.h"
#include "cli/problems.h"
#include "cli/run_folder.h"
#include "composition/numerical/bond_graph/graph_factory.h"
#include "core/yaml/config_error.h"
#include "numerical/bond_graph/analysis.h"
#include "numerical/bond_graph/drawing.h"

namespace trestle {
namespace {

bool is_installed(const std::string& program) {
  const char* path = std::getenv("PATH");  // NOLINT(concurrency-mt-unsafe): one thread
  std::istringstream folders(path == nullptr ? "" : path);
  for (std::string folder; std::getline(folders, folder, ':');)
    if (::access((folder + "/" + program).c_str(), X_OK) == 0) return true;
  return false;
}

std::string for_shell(const std::string& word) {
  std::string quoted = "'";
  for (const char letter : word)
    quoted += letter == '\'' ? std::string("'\\''") : std::string(1, letter);
  return quoted + "'";
}

/// @returns whether dot drew it
bool draw_with_graphviz(const std::string& text, const std::string& file) {
  std::FILE* dot = ::popen(("dot -Tsvg -o " + for_shell(file)).c_str(), "w");
  if (dot == nullptr) return false;
  const bool written = std::fwrite(text.data(), 1, text.size(), dot) == text.size();
  return ::pclose(dot) == 0 && written;
}

}  // namespace

BondgraphFindings bondgraph_findings(const std::string& file,
                                     const std::vector<std::string>& overrides) {
  SourceMap where;
  BondgraphFindings findings;
  findings.model = bond_graph::read_graph_model(file, overrides, where);
  try {
    if (findings.model.has_partition) {
      findings.cut = bond_graph::substructure(findings.model);
      findings.notes = findings.cut->notes;
      findings.loops = bond_graph::loop_stability(*findings.cut);
    } else {
      const auto outputs = bond_graph::requested_outputs(findings.model);
      const auto analysis = bond_graph::analyse(findings.model.graph, outputs);
      findings.notes = bond_graph::notes(findings.model.graph, analysis);
      findings.whole = bond_graph::make_system(findings.model.graph, analysis, outputs);
    }
  } catch (const SettingError& error) {
    throw ConfigError(where.explain(error));
  }
  return findings;
}

int bondgraph_check(const BondgraphOptions& options) {
  const BondgraphFindings findings = bondgraph_findings(options.file, options.overrides);
  if (options.json)
    print_findings_json(findings);
  else
    print_findings(findings);
  return kExitComplete;
}

int bondgraph_derive(const BondgraphOptions& options) {
  const BondgraphFindings findings = bondgraph_findings(options.file, options.overrides);
  if (options.json)
    print_matrices_json(findings);
  else
    print_matrices(findings);
  return kExitComplete;
}

int bondgraph_draw(const BondgraphOptions& options) {
  SourceMap where;
  const bond_graph::GraphModel model =
      bond_graph::read_graph_model(options.file, options.overrides, where);
  std::string text;
  try {
    text = bond_graph::drawing(model);
  } catch (const SettingError& error) {
    throw ConfigError(where.explain(error));
  }
  if (options.text) {
    std::printf("%s", text.c_str());
    return kExitComplete;
  }
  if (!is_installed("dot")) {
    print_problems(
        {"drawing needs Graphviz's program `dot`, which is not on this machine; "
         "install it (Debian: apt-get install graphviz), or take its text with "
         "--dot"});
    return kExitConfiguration;
  }
  const std::string file =
      options.out.empty() ? to_folder_name(model.name) + ".svg" : options.out;
  if (!draw_with_graphviz(text, file)) {
    print_problems({"Graphviz's `dot` could not write " + file +
                    "; look whether its folder exists and may be written to"});
    return kExitConfiguration;
  }
  std::printf("drawn in %s\n", file.c_str());
  return kExitComplete;
}

}  // namespace trestle
