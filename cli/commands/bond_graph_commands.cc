
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "cli/commands/commands.h"
#include "cli/terminal/common_options.h"
#include "cli/terminal/exit_code.h"
#include "cli/terminal/problems.h"
#include "composition/processes/run_folder.h"
#include "studies/bond_graph_report/bond_graph_findings.h"
#include "studies/bond_graph_report/bond_graph_json.h"
#include "studies/bond_graph_report/bond_graph_text.h"
#include "studies/bond_graph_report/sensitivity_findings.h"

namespace trestle::cli {
namespace {

struct BondGraphOptions {
  std::string file;                    ///< MODEL.yaml
  std::vector<std::string> overrides;  ///< path=value
  bool json = false;
  bool text = false;  ///< draw: Graphviz's own language, on the screen
  std::string out;    ///< draw: the SVG
};

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

void print_text(const std::string& text) {
  std::fputs(text.c_str(), stdout);
}

int check_graph(const BondGraphOptions& options) {
  const bond_graph_report::BondGraphFindings findings =
      bond_graph_report::bond_graph_findings(options.file, options.overrides);
  print_text(options.json ? bond_graph_report::findings_json(findings)
                          : bond_graph_report::findings_text(findings));
  return kExitComplete;
}

int derive_matrices(const BondGraphOptions& options) {
  const bond_graph_report::BondGraphFindings findings =
      bond_graph_report::bond_graph_findings(options.file, options.overrides);
  print_text(options.json ? bond_graph_report::matrices_json(findings)
                          : bond_graph_report::matrices_text(findings));
  return kExitComplete;
}

int derive_by_numbers(const BondGraphOptions& options) {
  const bond_graph_report::SensitivityFindings findings =
      bond_graph_report::sensitivity_findings(options.file, options.overrides);
  print_text(options.json ? bond_graph_report::sensitivity_json(findings)
                          : bond_graph_report::sensitivity_text(findings));
  return kExitComplete;
}

int draw(const BondGraphOptions& options) {
  const bond_graph_report::BondGraphDrawing drawing =
      bond_graph_report::bond_graph_drawing(options.file, options.overrides);
  if (options.text) {
    print_text(drawing.dot);
    return kExitComplete;
  }
  if (!is_installed("dot")) {
    print_problems(
        {"drawing needs Graphviz's program `dot`, which is not on this machine; "
         "install it (Debian: apt-get install graphviz), or take its text with "
         "--dot"});
    return kExitConfiguration;
  }
  const std::string file = options.out.empty()
                               ? composition::to_folder_name(drawing.model) + ".svg"
                               : options.out;
  if (!draw_with_graphviz(drawing.dot, file)) {
    print_problems({"Graphviz's `dot` could not write " + file +
                    "; look whether its folder exists and may be written to"});
    return kExitConfiguration;
  }
  std::printf("drawn in %s\n", file.c_str());
  return kExitComplete;
}

CLI::App* add_of_model(CLI::App& group, const char* name, const char* what,
                       BondGraphOptions& options) {
  CLI::App* const verb = group.add_subcommand(name, what);
  verb->add_option("model", options.file, "MODEL.yaml")->required();
  add_override_option(*verb, options.overrides);
  return verb;
}

}  // namespace

void add_bond_graph_commands(CLI::App& app, CommandList& commands) {
  const auto options = std::make_shared<BondGraphOptions>();
  CLI::App& group = *app.add_subcommand(
      "bondgraph", "a structure as a bond graph: its cut and its virtual junction");
  group.require_subcommand(1);
  CLI::App* const check = add_of_model(
      group, "check", "say what follows from a model, and what is wrong with it", *options);
  check->add_flag("--json", options->json, "print it as JSON, and nothing else");
  commands.add(check, [options] { return check_graph(*options); });

  CLI::App* const derive = add_of_model(
      group, "derive", "print the matrices that follow from a model", *options);
  derive->add_flag("--json", options->json, "print them as JSON, and nothing else");
  commands.add(derive, [options] { return derive_matrices(*options); });

  CLI::App* const sensitivity = add_of_model(
      group, "sensitivity",
      "say how much the number of each component moves the modes of a linear model",
      *options);
  sensitivity->add_flag("--json", options->json,
                        "print it as JSON, with the derivatives of all matrices");
  commands.add(sensitivity, [options] { return derive_by_numbers(*options); });

  CLI::App* const drawn = add_of_model(
      group, "draw", "draw a model with its causality and its cut, as SVG", *options);
  drawn->add_option("--out", options->out,
                    "FILE.svg; default: the model's name, in this folder");
  drawn->add_flag("--dot", options->text, "print Graphviz's text in place of the SVG");
  commands.add(drawn, [options] { return draw(*options); });

  add_bond_graph_plot_command(group, commands);
  add_bond_graph_identify_command(group, commands);
}

}  // namespace trestle::cli
