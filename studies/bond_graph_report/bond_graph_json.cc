#include "studies/bond_graph_report/bond_graph_json.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "studies/bond_graph_report/matrix_json.h"

namespace trestle::bond_graph_report {
namespace {

using nlohmann::ordered_json;

ordered_json as_json(const bond_graph::GraphSystem& system) {
  ordered_json json{
      {"states", system.states}, {"inputs", system.inputs}, {"outputs", system.outputs}};
  json["linear"] = system.linear.has_value();
  if (!system.linear) return json;
  json["A"] = matrix_json(system.linear->A);
  json["B"] = matrix_json(system.linear->B);
  json["C"] = matrix_json(system.linear->C);
  json["D"] = matrix_json(system.linear->D);
  return json;
}

// A NaN is written as null.
ordered_json ports_json(const bond_graph::AugmentedSubstructure& augmented) {
  ordered_json ports = ordered_json::array();
  for (std::size_t i = 0; i < augmented.ports.size(); ++i) {
    const auto& port = augmented.ports[i];
    const auto& transfer = augmented.transfers[i];
    ordered_json json{{"bond", port.bond},
                      {"numerical", port.numerical},
                      {"physical", port.physical},
                      {"sign", port.sign},
                      {"transfer", transfer.name},
                      {"stiffness_N_per_m", transfer.stiffness},
                      {"load", transfer.load},
                      {"delay_s", transfer.delay},
                      {"transfer_degree", augmented.transfer_degrees[i]}};
    json["numerical_degree"] = augmented.numerical_degrees[i] < 0
                                   ? ordered_json(nullptr)
                                   : ordered_json(augmented.numerical_degrees[i]);
    ports.push_back(std::move(json));
  }
  return ports;
}

ordered_json notes_json(const std::vector<bond_graph::Diagnostic>& notes) {
  ordered_json list = ordered_json::array();
  for (const auto& note : notes)
    list.push_back({{"code", note.code}, {"text", note.text}, {"where", note.where}});
  return list;
}

ordered_json as_json(const bond_graph::DominantMode& mode) {
  return {{"rate_per_s", mode.rate}, {"frequency_Hz", mode.frequency}};
}

ordered_json head(const BondGraphFindings& findings) {
  ordered_json json{{"bond_graph", findings.model.name}};
  json["components"] = findings.model.graph.elements().size();
  json["bonds"] = findings.model.graph.bonds().size();
  return json;
}

}  // namespace

std::string findings_json(const BondGraphFindings& findings) {
  ordered_json json = head(findings);
  if (findings.cut) {
    const auto& augmented = findings.cut->augmented;
    json["ports"] = ports_json(augmented);
    json["zeros_per_s"] = ordered_json::array();
    for (const auto& zero : augmented.zeros)
      json["zeros_per_s"].push_back({zero.real(), zero.imag()});
  }
  if (findings.loops) {
    ordered_json& loops = json["stability"];
    loops["whole"] = as_json(findings.loops->whole);
    loops["virtual_junction"] = as_json(findings.loops->junction);
    if (findings.loops->loaded) loops["without_loaded"] = as_json(*findings.loops->loaded);
    if (findings.loops->stiff) loops["without_stiff"] = as_json(*findings.loops->stiff);
  }
  json["notes"] = notes_json(findings.notes);
  return json.dump(2) + "\n";
}

std::string matrices_json(const BondGraphFindings& findings) {
  ordered_json json = head(findings);
  if (findings.cut) {
    json["ports"] = ports_json(findings.cut->augmented);
    json["whole"] = as_json(findings.cut->whole);
    json["numerical"] = as_json(findings.cut->numerical);
    json["physical"] = as_json(findings.cut->physical);
    json["augmented"] = as_json(findings.cut->augmented.system);
    json["augmented"]["displacement"] = matrix_json(findings.cut->augmented.displacement);
    json["augmented"]["start"] = matrix_json(findings.cut->augmented.start);
  } else {
    json["whole"] = as_json(findings.whole);
  }
  json["notes"] = notes_json(findings.notes);
  return json.dump(2) + "\n";
}

}  // namespace trestle::bond_graph_report
