#include <algorithm>
#include <cmath>
#include <cstdio>

#include "cli/bondgraph.h"

namespace trestle {
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

void print_matrix(const char* name, const Eigen::MatrixXd& matrix, const Names& rows,
                  const Names& columns) {
  std::printf("\n%s\n", name);
  if (matrix.size() == 0) {
    std::printf("  (empty: %td × %td)\n", matrix.rows(), matrix.cols());
    return;
  }
  std::size_t head = 0;
  for (const std::string& row : rows) head = std::max(head, row.size());
  std::vector<std::vector<std::string>> texts;
  std::printf("  %*s", static_cast<int>(head), "");
  for (Eigen::Index j = 0; j < matrix.cols(); ++j) {
    std::vector<std::string> column{columns[static_cast<std::size_t>(j)]};
    for (Eigen::Index i = 0; i < matrix.rows(); ++i)
      column.push_back(number("%.10g", matrix(i, j)));
    std::size_t width = 0;
    for (const std::string& text : column) width = std::max(width, text.size());
    for (std::string& text : column) text.insert(0, width - text.size(), ' ');
    std::printf("  %s", column.front().c_str());
    texts.push_back(std::move(column));
  }
  std::printf("\n");
  for (Eigen::Index i = 0; i < matrix.rows(); ++i) {
    std::printf("  %-*s", static_cast<int>(head),
                rows[static_cast<std::size_t>(i)].c_str());
    for (const auto& column : texts)
      std::printf("  %s", column[static_cast<std::size_t>(i) + 1].c_str());
    std::printf("\n");
  }
}

void print_system(const char* title, const GraphSystem& system) {
  std::printf("\n== %s\n", title);
  std::printf("states   %s\ninputs   %s\noutputs  %s\n", listed(system.states).c_str(),
              listed(system.inputs).c_str(), listed(system.outputs).c_str());
  if (!system.linear) {
    std::printf(
        "a law in it is not linear: it is evaluated as x' = f(x, u), y = g(x, u)\n");
    return;
  }
  print_matrix("A", system.linear->A, system.states, system.states);
  print_matrix("B", system.linear->B, system.states, system.inputs);
  print_matrix("C", system.linear->C, system.outputs, system.states);
  print_matrix("D", system.linear->D, system.outputs, system.inputs);
}

void print_size(const char* part, const GraphSystem& system) {
  std::printf("%-10s states %s; inputs %s%s\n", part, listed(system.states).c_str(),
              listed(system.inputs).c_str(), system.linear ? "" : "; not linear");
}

std::string degree(int value) {
  return value < 0 ? "none" : std::to_string(value);
}

void print_port(const BondgraphFindings& findings, std::size_t i) {
  const bond_graph::AugmentedSubstructure& augmented = findings.cut->augmented;
  const bond_graph::InterfacePort& port = augmented.ports[i];
  const bond_graph::TransferSystemInfo& transfer = augmented.transfers[i];
  std::printf("port       %s: %s (model) and %s (hardware); F_P = %s effort of the bond\n",
              port.bond.c_str(), port.numerical.c_str(), port.physical.c_str(),
              port.sign > 0.0 ? "+" : "-");
  std::printf("transfer   %s at %s: %s, load %s, delay %s ms; degree %d, the model's %s\n",
              transfer.name.c_str(), port.bond.c_str(),
              std::isnan(transfer.stiffness)
                  ? "no stiffness"
                  : ("k_t = " + number("%.6g", transfer.stiffness) + " N/m").c_str(),
              number("%.4g", transfer.load).c_str(),
              number("%.4g", transfer.delay * 1e3).c_str(), augmented.transfer_degrees[i],
              degree(augmented.numerical_degrees[i]).c_str());
}

void print_mode(const char* what, const DominantMode& mode) {
  if (std::isinf(mode.rate)) return;
  std::printf("stability  %s: %s 1/s at %s Hz%s\n", what,
              number("%+.4g", mode.rate).c_str(), number("%.4g", mode.frequency).c_str(),
              mode.rate > 0.0 ? ", UNSTABLE" : "");
}

void print_zeros(const bond_graph::AugmentedSubstructure& augmented) {
  std::string zeros;
  for (const auto& zero : augmented.zeros) {
    if (!zeros.empty()) zeros += ", ";
    zeros += number("%.4g", zero.real());
    if (zero.imag() != 0.0) zeros += number("%+.4g", zero.imag()) + "i";
  }
  std::printf("zeros      of the transfer systems: %s 1/s\n",
              zeros.empty() ? "none" : zeros.c_str());
}

}  // namespace

void print_findings(const BondgraphFindings& findings) {
  std::printf("model      %s: %zu components, %zu bonds\n", findings.model.name.c_str(),
              findings.model.graph.elements().size(), findings.model.graph.bonds().size());
  if (!findings.cut) {
    print_size("whole", findings.whole);
    std::printf("cut        none: nothing is marked as physical\n");
  } else {
    const bond_graph::Substructuring& cut = *findings.cut;
    print_size("whole", cut.whole);
    print_size("numerical", cut.numerical);
    print_size("physical", cut.physical);
    for (std::size_t i = 0; i < cut.augmented.ports.size(); ++i) print_port(findings, i);
    print_zeros(cut.augmented);
    print_size("junction", cut.augmented.system);
  }
  if (findings.loops) {
    print_mode("whole structure", findings.loops->whole);
    print_mode("with the virtual junction", findings.loops->junction);
    if (findings.loops->loaded)
      print_mode("without it, specimen loads the actuator", *findings.loops->loaded);
    if (findings.loops->stiff)
      print_mode("without it, stiff servo", *findings.loops->stiff);
  } else if (findings.cut) {
    std::printf("stability  not known: a law is not linear\n");
  }
  for (const bond_graph::Diagnostic& note : findings.notes)
    std::printf("note       %s [%s]\n", note.text.c_str(), note.code.c_str());
}

void print_matrices(const BondgraphFindings& findings) {
  std::printf("%s\n", findings.model.name.c_str());
  if (!findings.cut) {
    print_system("whole structure", findings.whole);
    return;
  }
  print_system("whole structure", findings.cut->whole);
  print_system("numerical part", findings.cut->numerical);
  print_system("physical part", findings.cut->physical);
  print_system("numerical part with virtual junction", findings.cut->augmented.system);
}

}  // namespace trestle
