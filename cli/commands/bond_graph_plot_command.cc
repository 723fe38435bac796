#include <cmath>
#include <cstdio>
#include <exception>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <numbers>

#include "cli/commands/commands.h"
#include "cli/terminal/exit_code.h"
#include "core/base/atomic_file.h"
#include "core/types/record_names.h"
#include "observe/report/synchronisation_plot.h"

namespace trestle::cli {
namespace {

struct BondGraphPlotOptions {
  std::string folder;  ///< of a run
  std::string out;     ///< the SVG; empty: RUN/synchronisation.svg
  double from = 0.0;   ///< [s]
  double until = std::numeric_limits<double>::infinity();  ///< [s]
  std::vector<double> frequencies;                         ///< [Hz]
  bool json = false;
};

nlohmann::ordered_json as_json(const std::vector<records::SynchronisedPort>& ports) {
  nlohmann::ordered_json json = nlohmann::ordered_json::array();
  for (const records::SynchronisedPort& port : ports) {
    const evaluation::Synchronisation& found = port.found;
    nlohmann::ordered_json one{{"dof", port.name},
                               {"from_s", port.begins},
                               {"steps", port.wanted.size()},
                               {"rms_relative", found.rms_relative},
                               {"amplitude", found.amplitude},
                               {"axes", found.axes},
                               {"angle_rad", found.angle},
                               {"delay_s", found.delay}};
    for (const evaluation::HarmonicRatio& harmonic : found.harmonics)
      one["harmonics"].push_back({{"frequency_hz", harmonic.frequency},
                                  {"gain", harmonic.gain},
                                  {"phase_rad", harmonic.phase},
                                  {"half_width", harmonic.ellipse_half_width}});
    json.push_back(one);
  }
  return json;
}

void print(const std::vector<records::SynchronisedPort>& ports) {
  std::printf("%-16s %12s %10s %8s %9s %10s\n", "port", "rms error", "amplitude", "axes",
              "angle", "delay");
  for (const records::SynchronisedPort& port : ports) {
    const evaluation::Synchronisation& found = port.found;
    std::printf("%-16s %10.4f %% %10.4f %8.4f %6.2f deg %7.3f ms\n", port.name.c_str(),
                1e2 * found.rms_relative, found.amplitude, found.axes,
                found.angle * 180.0 / std::numbers::pi, 1e3 * found.delay);
    for (const evaluation::HarmonicRatio& harmonic : found.harmonics)
      std::printf("%-16s %10.4g Hz: gain %.4f, phase %.3f deg\n", "", harmonic.frequency,
                  harmonic.gain, harmonic.phase * 180.0 / std::numbers::pi);
  }
}

int plot(const BondGraphPlotOptions& options) {
  const records::RunRecord run(options.folder);
  records::SynchronisationQuery question{
      .from = options.from, .until = options.until, .frequencies = options.frequencies};
  const std::vector<records::SynchronisedPort> ports =
      records::synchronised_ports(run, question);
  const std::string file =
      options.out.empty() ? options.folder + "/synchronisation.svg" : options.out;
  AtomicFile svg(file);
  svg.write(
      report::synchronisation_svg(ports, run.integrator().required_meta(meta_key::kTest)));
  svg.keep();
  if (options.json) {
    std::printf("%s\n", as_json(ports).dump(2).c_str());
  } else {
    print(ports);
    std::printf("written to %s\n", file.c_str());
  }
  return kExitComplete;
}

}  // namespace

void add_bond_graph_plot_command(CLI::App& bond_graph, CommandList& commands) {
  const auto options = std::make_shared<BondGraphPlotOptions>();
  CLI::App* const verb =
      bond_graph.add_subcommand("plot", "measured against wanted motion of a run's ports");
  verb->add_option("run", options->folder, "a run's folder")->required();
  verb->add_option("--out", options->out,
                   "FILE.svg; default: synchronisation.svg in the run's folder");
  verb->add_option("--from", options->from, "TIME in s; default: the beginning");
  verb->add_option("--until", options->until, "TIME in s; default: the end");
  verb->add_option("--frequency", options->frequencies, "in Hz: gain and phase there, too")
      ->allow_extra_args(false);
  verb->add_flag("--json", options->json, "print the numbers as JSON, and no table");
  commands.add(verb, [options] {
    try {
      return plot(*options);
    } catch (
        const std::runtime_error& error) {  // no record, one of something else, no room
      std::fprintf(stderr, "%s\n", error.what());
      return static_cast<int>(kExitConfiguration);
    }
  });
}

}  // namespace trestle::cli
