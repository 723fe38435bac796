#include <cmath>
#include <cstdio>
#include <exception>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "cli/commands/commands.h"
#include "cli/terminal/exit_code.h"
#include "core/base/lasting_file.h"
#include "core/yaml/dimensions.h"
#include "studies/spectrum/spectrum_results.h"

namespace trestle::cli {
namespace {

// As design codes draw them.
constexpr double kFirstPeriod = 0.02;  // [s]
constexpr double kLastPeriod = 10.0;   // [s]
constexpr int kPeriods = 200;

struct SpectrumOptions {
  std::vector<std::string> records;
  std::vector<std::string> dampings = {"5 %"};
  std::vector<std::string> periods;  ///< empty: 200 of them
  std::string unit;                  ///< of the files; empty: their own
  double scale = 1.0;
  std::string csv;
  std::string svg;
  bool json = false;
};

double quantity(const std::string& option, const std::string& text,
                config::Dimension dimension) {
  const Result<yaml::Quantity> read = yaml::read_quantity(text, dimension);
  if (!read) throw std::runtime_error(option + ": " + read.error().detail);
  return read.value().value;
}

std::vector<double> dampings_of(const SpectrumOptions& options) {
  std::vector<double> dampings;
  for (const std::string& text : options.dampings) {
    const double damping = quantity("--damping", text, config::RATIO);
    if (!(damping >= 0.0 && damping < 1.0))
      throw std::runtime_error("--damping: " + text +
                               " is not below critical; give 0 to below 100 %, as `5 %`");
    dampings.push_back(damping);
  }
  return dampings;
}

std::vector<double> periods_of(const SpectrumOptions& options) {
  if (options.periods.empty())
    return spectrum::logarithmic_periods(kFirstPeriod, kLastPeriod, kPeriods);
  std::vector<double> periods;
  for (const std::string& text : options.periods) {
    const double period = quantity("--period", text, config::TIME);
    if (!(period >= 1e-3 && period <= 1e3))
      throw std::runtime_error("--period: " + text + " is not within 1 ms to 1000 s");
    periods.push_back(period);
  }
  return periods;
}

void check_names(const std::vector<spectrum::RecordSpectra>& records) {
  for (std::size_t i = 0; i < records.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (records[i].name == records[j].name)
        throw std::runtime_error(
            records[j].file + " and " + records[i].file +
            " would have the same columns; give records of different names");
}

/// `g` is short for the `1 g` of a test file. @returns [m/s²]; 0: the unit of the files
double unit_of(const SpectrumOptions& options) {
  if (options.unit.empty()) return 0.0;
  const bool has_number = options.unit.find_first_of("0123456789") == 0;
  return quantity("--unit", has_number ? options.unit : "1 " + options.unit,
                  config::ACCELERATION);
}

int show_spectra(const SpectrumOptions& options) {
  const double unit = unit_of(options);
  if (!std::isfinite(options.scale))
    throw std::runtime_error("--scale: it must be a finite number");
  const std::vector<double> dampings = dampings_of(options);
  const std::vector<double> periods = periods_of(options);
  std::vector<spectrum::RecordSpectra> records;
  for (const std::string& file : options.records)
    records.push_back(spectrum::spectra_of(file, unit, options.scale, periods, dampings));
  check_names(records);
  if (!options.csv.empty())
    exports::write_table_csv(spectrum::spectrum_table(records), options.csv);
  if (!options.svg.empty()) keep_file(options.svg, spectrum::spectrum_svg(records));
  std::fputs(
      (options.json ? spectrum::spectrum_json(records) : spectrum::spectrum_text(records))
          .c_str(),
      stdout);
  return kExitComplete;
}

}  // namespace

void add_spectrum_command(CLI::App& app, CommandList& commands) {
  const auto options = std::make_shared<SpectrumOptions>();
  CLI::App* const verb =
      app.add_subcommand("spectrum", "show the response spectra of records");
  verb->add_option("records", options->records,
                   "RECORD ...: PEER .AT2, or two columns, time and acceleration")
      ->required();
  verb->add_option("--damping", options->dampings,
                   "of critical, may be repeated; default 5 %")
      ->allow_extra_args(false);
  verb->add_option("--period", options->periods,
                   "may be repeated: 0.5 s; default 200 from 20 ms to 10 s")
      ->allow_extra_args(false);
  verb->add_option("--unit", options->unit,
                   "of the accelerations in the files: m/s2, g, cm/s2; default: their own");
  verb->add_option("--scale", options->scale, "factor on the accelerations; default 1");
  verb->add_option("--csv", options->csv, "FILE.csv of all numbers");
  verb->add_option("--svg", options->svg, "FILE.svg: PSa, PSv and Sd over the period");
  verb->add_flag("--json", options->json, "print all numbers as JSON");
  commands.add(verb, [options] {
    try {
      return show_spectra(*options);
    } catch (const std::runtime_error& error) {  // no record, no room, no such unit
      std::fprintf(stderr, "%s\n", error.what());
      return static_cast<int>(kExitConfiguration);
    }
  });
}

}  // namespace trestle::cli
