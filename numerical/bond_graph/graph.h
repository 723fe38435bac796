#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "numerical/bond_graph/element.h"

namespace trestle::bond_graph {

/// Power e·f is positive from tail to head.
struct Bond {
  std::string name;
  std::size_t tail = 0;  ///< element
  std::size_t head = 0;
  int tail_side = 0;  ///< 1 or 2 where the side of a two-port is said, else 0
  int head_side = 0;
  std::string path = {};  ///< of its setting, for errors
};

/// One end of a bond, as its element sees it.
struct BondEnd {
  std::size_t bond = 0;
  bool is_head = false;  ///< the bond points into the element
  int side = 0;          ///< of a two-port: 1 or 2, once the graph is checked
};

/// Elements and the bonds between them, in the order in which they were added.
class Graph {
 public:
  /// @throws SettingError [E_DUPLICATE] if the name is taken
  std::size_t add(Element element);

  /// @param tail, head  names of elements; `lever.1`, `lever.2` are the sides of a two-port
  /// @throws SettingError [E_UNKNOWN] if there is no such element
  void connect(const std::string& tail, const std::string& head, std::string name = {},
               std::string path = {});
  void connect(Bond bond);

  const std::vector<Element>& elements() const noexcept { return elements_; }
  const std::vector<Bond>& bonds() const noexcept { return bonds_; }
  const Element& element(std::size_t index) const noexcept { return elements_[index]; }
  Element& element(std::size_t index) noexcept { return elements_[index]; }
  const Bond& bond(std::size_t index) const noexcept { return bonds_[index]; }

  /// Nothing if there is no such element: the number of elements.
  std::size_t find(const std::string& name) const noexcept;
  /// In bond order.
  const std::vector<BondEnd>& ends(std::size_t element) const noexcept {
    return ends_[element];
  }
  /// The element at the other end.
  std::size_t beyond(const BondEnd& end) const noexcept {
    return end.is_head ? bonds_[end.bond].tail : bonds_[end.bond].head;
  }
  /// Returns a side of a two-port in a checked graph.
  const BondEnd& side(std::size_t element, int number) const noexcept;
  bool has_laws() const noexcept;

 private:
  std::size_t end_of_bond(const std::string& name, int& side,
                          const std::string& path) const;

  std::vector<Element> elements_;
  std::vector<Bond> bonds_;
  std::vector<std::vector<BondEnd>> ends_;

  friend void check_structure(Graph& graph, bool connected);
};

}  // namespace trestle::bond_graph
