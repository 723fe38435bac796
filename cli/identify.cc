#include <cstdio>
#include <filesystem>
#include <stdexcept>

#include "cli/exit_code.h"
#include "cli/run_folder.h"
#include "cli/verbs.h"
#include "studies/identification/identification_factory.h"
#include "studies/identification/identification_page.h"
#include "studies/identification/identification_report.h"

namespace trestle {
namespace {

using identification::IdentificationResult;
using identification::IdentificationStudy;

void write_results(const IdentificationStudy& study, const IdentificationResult& result,
                   const std::string& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error)
    throw std::runtime_error(folder + ": cannot be made (" + error.message() +
                             "); choose another with --out");
  write_file(folder + "/summary.json", identification_json(study, result));
  write_file(folder + "/report.html",
             identification_page(study, result, "trestle " + software_version()));
  for (std::size_t pass = 0; pass < study.problem.passes.size(); ++pass) {
    const std::string name = folder + "/residual_" + std::to_string(pass + 1);
    write_file(name + ".csv", residual_csv(study, result, pass));
    write_file(name + ".svg", residual_svg(study, result, pass));
  }
  if (result.road) write_file(folder + "/road.csv", road_csv(*result.road));
}

}  // namespace

int identify(const IdentifyOptions& options) {
  const IdentificationStudy study =
      identification::read_identification(options.study, options.overrides);
  const IdentificationResult result = identification::identify(study);
  const std::string folder =
      options.out.empty() ? "runs/identify-" + to_folder_name(study.name) : options.out;
  try {
    write_results(study, result, folder);
  } catch (const std::runtime_error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return kExitConfiguration;
  }
  if (options.json) {
    std::fputs(identification_json(study, result).c_str(), stdout);
    return kExitComplete;
  }
  std::printf("%s\nwritten to %s: summary.json, report.html, residual_1.csv, residual_1.svg%s%s\n",
              identification_text(study, result).c_str(), folder.c_str(),
              study.problem.passes.size() > 1 ? ", ..." : "",
              result.road ? ", road.csv" : "");
  return kExitComplete;
}

}  // namespace trestle
