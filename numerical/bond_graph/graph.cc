#include "numerical/bond_graph/graph.h"

#include <algorithm>
#include <utility>

#include "core/base/nearest_name.h"
#include "numerical/bond_graph/fault.h"

namespace trestle::bond_graph {

std::size_t Graph::add(Element element) {
  if (find(element.name) < elements_.size())
    fail("E_DUPLICATE", element.path,
         "there are two components `" + element.name + "`; each name must be unique");
  elements_.push_back(std::move(element));
  ends_.emplace_back();
  return elements_.size() - 1;
}

std::size_t Graph::find(const std::string& name) const noexcept {
  const auto at = std::find_if(elements_.begin(), elements_.end(),
                               [&](const Element& one) { return one.name == name; });
  return static_cast<std::size_t>(at - elements_.begin());
}

std::size_t Graph::end_of_bond(const std::string& name, int& side,
                               const std::string& path) const {
  side = 0;
  std::size_t index = find(name);
  if (index < elements_.size()) return index;
  if (name.size() > 2 && (name.ends_with(".1") || name.ends_with(".2"))) {
    index = find(name.substr(0, name.size() - 2));
    if (index < elements_.size() && is_two_port(elements_[index].type)) {
      side = name.back() - '0';
      return index;
    }
  }
  std::vector<std::string> known;
  for (const Element& element : elements_) known.push_back(element.name);
  fail("E_UNKNOWN", path,
       "there is no component `" + name + "` for this bond" + suggest(name, known));
}

void Graph::connect(const std::string& tail, const std::string& head, std::string name,
                    std::string path) {
  Bond bond{.name = name.empty() ? tail + " -> " + head : std::move(name),
            .path = std::move(path)};
  bond.tail = end_of_bond(tail, bond.tail_side, bond.path);
  bond.head = end_of_bond(head, bond.head_side, bond.path);
  connect(std::move(bond));
}

void Graph::connect(Bond bond) {
  const std::size_t index = bonds_.size();
  ends_[bond.tail].push_back({index, false, bond.tail_side});
  ends_[bond.head].push_back({index, true, bond.head_side});
  bonds_.push_back(std::move(bond));
}

const BondEnd& Graph::side(std::size_t element, int number) const noexcept {
  const std::vector<BondEnd>& ends = ends_[element];
  return ends[0].side == number ? ends[0] : ends[1];
}

bool Graph::has_laws() const noexcept {
  return std::any_of(elements_.begin(), elements_.end(),
                     [](const Element& one) { return static_cast<bool>(one.law); });
}

}  // namespace trestle::bond_graph
