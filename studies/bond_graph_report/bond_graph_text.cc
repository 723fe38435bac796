#include "studies/bond_graph_report/bond_graph_text.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace trestle::bond_graph_report {
namespace {

using bond_graph::DominantMode;
using bond_graph::GraphSystem;
using Names = std::vector<std::string>;

std::string number(const char* format, double value) {
  char text[40];
  std::snprintf(text, sizeof text, format, value == 0.0 ? 0.0 : value);
  return text;
}

std::string listed(const Names& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text.empty() ? "none" : text;
}

/// The text with spaces behind it, at least `width` bytes long.
std::string padded(const std::string& text, std::size_t width) {
  return text + std::string(text.size() < width ? width - text.size() : 0, ' ');
}

std::string matrix_text(const char* name, const Eigen::MatrixXd& matrix, const Names& rows,
                        const Names& columns) {
  std::string lines = "\n" + std::string(name) + "\n";
  if (matrix.size() == 0)
    return lines + "  (empty: " + std::to_string(matrix.rows()) + " × " +
           std::to_string(matrix.cols()) + ")\n";
  std::size_t head = 0;
  for (const std::string& row : rows) head = std::max(head, row.size());
  std::vector<std::string> of_row;
  lines += padded("  ", head + 2);
  for (const std::string& row : rows) of_row.push_back("  " + padded(row, head));
  for (Eigen::Index j = 0; j < matrix.cols(); ++j) {
    std::vector<std::string> column{columns[static_cast<std::size_t>(j)]};
    for (Eigen::Index i = 0; i < matrix.rows(); ++i)
      column.push_back(number("%.10g", matrix(i, j)));
    std::size_t width = 0;
    for (const std::string& text : column) width = std::max(width, text.size());
    for (std::string& text : column) text.insert(0, width - text.size(), ' ');
    lines += "  " + column.front();
    for (std::size_t i = 1; i < column.size(); ++i) of_row[i - 1] += "  " + column[i];
  }
  lines += "\n";
  for (const std::string& row : of_row) lines += row + "\n";
  return lines;
}

std::string system_text(const char* title, const GraphSystem& system) {
  std::string lines = "\n== " + std::string(title) + "\n";
  lines += "states   " + listed(system.states) + "\ninputs   " + listed(system.inputs) +
           "\noutputs  " + listed(system.outputs) + "\n";
  if (!system.linear)
    return lines +
           "a law in it is not linear: it is evaluated as x' = f(x, u), y = g(x, u)\n";
  return lines + matrix_text("A", system.linear->A, system.states, system.states) +
         matrix_text("B", system.linear->B, system.states, system.inputs) +
         matrix_text("C", system.linear->C, system.outputs, system.states) +
         matrix_text("D", system.linear->D, system.outputs, system.inputs);
}

std::string size_text(const char* part, const GraphSystem& system) {
  return padded(part, 10) + " states " + listed(system.states) + "; inputs " +
         listed(system.inputs) + (system.linear ? "" : "; not linear") + "\n";
}

std::string degree(int value) {
  return value < 0 ? "none" : std::to_string(value);
}

std::string port_text(const bond_graph::AugmentedSubstructure& augmented, std::size_t i) {
  const bond_graph::InterfacePort& port = augmented.ports[i];
  const bond_graph::TransferSystemInfo& transfer = augmented.transfers[i];
  return "port       " + port.bond + ": " + port.numerical + " (model) and " +
         port.physical + " (hardware); F_P = " + (port.sign > 0.0 ? "+" : "-") +
         " effort of the bond\n" + "transfer   " + transfer.name + " at " + port.bond +
         ": " +
         (std::isnan(transfer.stiffness)
              ? "no stiffness"
              : "k_t = " + number("%.6g", transfer.stiffness) + " N/m") +
         ", load " + number("%.4g", transfer.load) + ", delay " +
         number("%.4g", transfer.delay * 1e3) + " ms; degree " +
         std::to_string(augmented.transfer_degrees[i]) + ", the model's " +
         degree(augmented.numerical_degrees[i]) + "\n";
}

std::string mode_text(const char* what, const DominantMode& mode) {
  if (std::isinf(mode.rate)) return {};
  return "stability  " + std::string(what) + ": " + number("%+.4g", mode.rate) +
         " 1/s at " + number("%.4g", mode.frequency) + " Hz" +
         (mode.rate > 0.0 ? ", UNSTABLE" : "") + "\n";
}

std::string zeros_text(const bond_graph::AugmentedSubstructure& augmented) {
  std::string zeros;
  for (const auto& zero : augmented.zeros) {
    if (!zeros.empty()) zeros += ", ";
    zeros += number("%.4g", zero.real());
    if (zero.imag() != 0.0) zeros += number("%+.4g", zero.imag()) + "i";
  }
  return "zeros      of the transfer systems: " + (zeros.empty() ? "none" : zeros) +
         " 1/s\n";
}

std::string stability_text(const BondGraphFindings& findings) {
  if (!findings.loops)
    return findings.cut ? "stability  not known: a law is not linear\n" : "";
  std::string lines = mode_text("whole structure", findings.loops->whole) +
                      mode_text("with the virtual junction", findings.loops->junction);
  if (findings.loops->loaded)
    lines += mode_text("without it, specimen loads the actuator", *findings.loops->loaded);
  if (findings.loops->stiff)
    lines += mode_text("without it, stiff servo", *findings.loops->stiff);
  return lines;
}

}  // namespace

std::string findings_text(const BondGraphFindings& findings) {
  const bond_graph::GraphModel& model = findings.model;
  std::string lines = "model      " + model.name + ": " +
                      std::to_string(model.graph.elements().size()) + " components, " +
                      std::to_string(model.graph.bonds().size()) + " bonds\n";
  if (!findings.cut) {
    lines += size_text("whole", findings.whole);
    lines += "cut        none: nothing is marked as physical\n";
  } else {
    const bond_graph::Substructuring& cut = *findings.cut;
    lines += size_text("whole", cut.whole) + size_text("numerical", cut.numerical) +
             size_text("physical", cut.physical);
    for (std::size_t i = 0; i < cut.augmented.ports.size(); ++i)
      lines += port_text(cut.augmented, i);
    lines += zeros_text(cut.augmented) + size_text("junction", cut.augmented.system);
  }
  lines += stability_text(findings);
  for (const bond_graph::Diagnostic& note : findings.notes)
    lines += "note       " + note.text + " [" + note.code + "]\n";
  return lines;
}

std::string matrices_text(const BondGraphFindings& findings) {
  const std::string name = findings.model.name + "\n";
  if (!findings.cut) return name + system_text("whole structure", findings.whole);
  return name + system_text("whole structure", findings.cut->whole) +
         system_text("numerical part", findings.cut->numerical) +
         system_text("physical part", findings.cut->physical) +
         system_text("numerical part with virtual junction",
                     findings.cut->augmented.system);
}

}  // namespace trestle::bond_graph_report
