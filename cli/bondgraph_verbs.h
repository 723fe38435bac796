#pragma once

#include <CLI/CLI.hpp>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace trestle {

struct BondgraphOptions {
  std::string file;                    ///< MODEL.yaml
  std::vector<std::string> overrides;  ///< path=value
  bool json = false;
  bool text = false;  ///< draw: Graphviz's own language, on the screen
  std::string out;    ///< draw: the SVG
};

struct BondgraphPlotOptions {
  std::string folder;  ///< of a run
  std::string out;     ///< the SVG; empty: RUN/synchronisation.svg
  double from = 0.0;   ///< [s]
  double until = std::numeric_limits<double>::infinity();  ///< [s]
  std::vector<double> frequencies;                         ///< [Hz]
  bool json = false;
};
int bondgraph_plot(const BondgraphPlotOptions& options);

struct BondgraphIdentifyOptions {
  std::string site;                    ///< SITE.yaml
  std::vector<std::string> overrides;  ///< path=value
  std::string out = "transfer.yaml";   ///< what goes into a model's `transfer`
  double mass = 0.0;                   ///< of each transfer system [kg]
  double load = 1.0;                   ///< part of the specimen's force that it feels
  double amplitude = 1e-3;             ///< of the steps [m]
  double rise = 0.02;                  ///< [s]
  double tick = 1e-3;                  ///< control tick [s]
  bool json = false;
};
int bondgraph_identify(const BondgraphIdentifyOptions& options);

int bondgraph_check(const BondgraphOptions& options);
int bondgraph_derive(const BondgraphOptions& options);
int bondgraph_draw(const BondgraphOptions& options);

/// The command line of `trestle bondgraph`.
class BondgraphVerb {
 public:
  /// @param app  must live as long as this
  explicit BondgraphVerb(CLI::App& app);

  /// Runs the verb that was parsed. @returns its exit code; nothing: it was another verb
  std::optional<int> run() const;

 private:
  void add_plot();
  void add_identify();
  CLI::App* add(const char* name, const char* what);

  BondgraphOptions options_;
  CLI::App* verb_;
  CLI::App* check_;
  CLI::App* derive_;
  CLI::App* draw_;
  BondgraphPlotOptions plot_options_;
  CLI::App* plot_ = nullptr;
  BondgraphIdentifyOptions identify_options_;
  CLI::App* identify_ = nullptr;
};

}  // namespace trestle
