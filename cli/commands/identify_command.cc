#include <cstdio>
#include <filesystem>
#include <memory>
#include <stdexcept>

#include "cli/commands/commands.h"
#include "cli/terminal/common_options.h"
#include "cli/terminal/exit_code.h"
#include "cli/terminal/software_version.h"
#include "composition/processes/run_folder.h"
#include "core/base/lasting_file.h"
#include "studies/identification/identification_factory.h"
#include "studies/identification/identification_json.h"
#include "studies/identification/identification_page.h"
#include "studies/identification/identification_text.h"
#include "studies/identification/residual_files.h"

namespace trestle::cli {
namespace {

struct IdentifyOptions {
  std::string study;  ///< STUDY.yaml
  std::string out;    ///< folder; empty: runs/identify-<study>
  std::vector<std::string> overrides;
  bool json = false;
};

using identification::IdentificationResult;
using identification::IdentificationStudy;

void write_identification(const IdentificationStudy& study,
                          const IdentificationResult& result, const std::string& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error)
    throw std::runtime_error(folder + ": cannot be made (" + error.message() +
                             "); choose another with --out");
  keep_file(folder + "/summary.json", identification_json(study, result));
  keep_file(folder + "/report.html",
            identification_page(study, result, "trestle " + software_version()));
  for (std::size_t pass = 0; pass < study.problem.passes.size(); ++pass) {
    const std::string name = folder + "/residual_" + std::to_string(pass + 1);
    keep_file(name + ".csv", residual_csv(study, result, pass));
    keep_file(name + ".svg", residual_svg(study, result, pass));
  }
  if (result.road) keep_file(folder + "/road.csv", road_csv(*result.road));
}

int identify_vehicle(const IdentifyOptions& options) {
  const IdentificationStudy study =
      identification::read_identification(options.study, options.overrides);
  const IdentificationResult result = identification::identify(study);
  const std::string folder =
      options.out.empty() ? "runs/identify-" + composition::to_folder_name(study.name)
                          : options.out;
  try {
    write_identification(study, result, folder);
  } catch (const std::runtime_error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return kExitConfiguration;
  }
  if (options.json) {
    std::fputs(identification_json(study, result).c_str(), stdout);
    return kExitComplete;
  }
  std::printf(
      "%s\nwritten to %s: summary.json, report.html, residual_1.csv, residual_1.svg%s%s\n",
      identification_text(study, result).c_str(), folder.c_str(),
      study.problem.passes.size() > 1 ? ", ..." : "", result.road ? ", road.csv" : "");
  return kExitComplete;
}

}  // namespace

void add_identify_command(CLI::App& app, CommandList& commands) {
  const auto options = std::make_shared<IdentifyOptions>();
  CLI::App* const verb = app.add_subcommand(
      "identify", "find a vehicle's parameters from its bridge's response");
  verb->add_option("study", options->study, "STUDY.yaml")->required();
  verb->add_option("--out", options->out,
                   "folder of the results; default runs/identify-<study>");
  add_override_option(*verb, options->overrides);
  verb->add_flag("--json", options->json, "print the summary as JSON, and nothing else");
  commands.add(verb, [options] { return identify_vehicle(*options); });
}

}  // namespace trestle::cli
