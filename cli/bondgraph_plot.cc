#include <cmath>
#include <cstdio>
#include <exception>
#include <nlohmann/json.hpp>
#include <numbers>

#include "cli/bondgraph_verbs.h"
#include "cli/exit_code.h"
#include "core/base/atomic_file.h"
#include "core/types/record_names.h"
#include "observe/report/synchronisation_plot.h"

namespace trestle {
namespace {

nlohmann::ordered_json as_json(const std::vector<SynchronisedPort>& ports) {
  nlohmann::ordered_json json = nlohmann::ordered_json::array();
  for (const SynchronisedPort& port : ports) {
    const Synchronisation& found = port.found;
    nlohmann::ordered_json one{{"dof", port.name},
                               {"from_s", port.begins},
                               {"steps", port.wanted.size()},
                               {"rms_relative", found.rms_relative},
                               {"amplitude", found.amplitude},
                               {"axes", found.axes},
                               {"angle_rad", found.angle},
                               {"delay_s", found.delay}};
    for (const HarmonicRatio& harmonic : found.harmonics)
      one["harmonics"].push_back({{"frequency_hz", harmonic.frequency},
                                  {"gain", harmonic.gain},
                                  {"phase_rad", harmonic.phase},
                                  {"half_width", harmonic.ellipse_half_width}});
    json.push_back(one);
  }
  return json;
}

void print(const std::vector<SynchronisedPort>& ports) {
  std::printf("%-16s %12s %10s %8s %9s %10s\n", "port", "rms error", "amplitude", "axes",
              "angle", "delay");
  for (const SynchronisedPort& port : ports) {
    const Synchronisation& found = port.found;
    std::printf("%-16s %10.4f %% %10.4f %8.4f %6.2f deg %7.3f ms\n", port.name.c_str(),
                1e2 * found.rms_relative, found.amplitude, found.axes,
                found.angle * 180.0 / std::numbers::pi, 1e3 * found.delay);
    for (const HarmonicRatio& harmonic : found.harmonics)
      std::printf("%-16s %10.4g Hz: gain %.4f, phase %.3f deg\n", "", harmonic.frequency,
                  harmonic.gain, harmonic.phase * 180.0 / std::numbers::pi);
  }
}

int plot(const BondgraphPlotOptions& options) {
  const RunRecord run(options.folder);
  SynchronisationQuery question{
      .from = options.from, .until = options.until, .frequencies = options.frequencies};
  const std::vector<SynchronisedPort> ports = synchronised_ports(run, question);
  const std::string file =
      options.out.empty() ? options.folder + "/synchronisation.svg" : options.out;
  AtomicFile svg(file);
  svg.write(synchronisation_svg(ports, run.integrator().required_meta(meta_key::kTest)));
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

int bondgraph_plot(const BondgraphPlotOptions& options) {
  try {
    return plot(options);
  } catch (const std::runtime_error& error) {  // no record, one of something else, no room
    std::fprintf(stderr, "%s\n", error.what());
    return kExitConfiguration;
  }
}

}  // namespace trestle
