#include "composition/numerical/bond_graph/graph_builder.h"

#include <algorithm>
#include <set>

#include "composition/numerical/bond_graph/component_factory.h"
#include "core/base/nearest_name.h"
#include "numerical/bond_graph/fault.h"
#include "numerical/bond_graph/graph_structure.h"
#include "proto/config/bond_graph.pb.h"

namespace trestle::bond_graph {
namespace {

constexpr int kDeepest = 8;

std::string indexed_path(const std::string& path, const char* field, int index) {
  return (path.empty() ? "" : path + ".") + field + "[" + std::to_string(index) + "]";
}

std::vector<std::string> part_names(const config::GraphTemplate& shape) {
  std::vector<std::string> names;
  for (const auto& part : shape.components()) names.push_back(part.name());
  return names;
}

}  // namespace

void GraphBuilder::collect(const std::string& path, const char* code,
                           const std::string& what) {
  problems_.add(path, coded(what, code));
}

Graph GraphBuilder::build(const Components& components, const Bonds& bonds,
                          const std::string& path) {
  graph_ = Graph();
  terminals_.clear();
  add_all(components, bonds, {.prefix = "", .scope = &scope_, .laws = {}, .path = path});
  std::set<std::string> names;
  for (const Bond& bond : graph_.bonds())
    if (!names.insert(bond.name).second && bond.name.find(" -> ") == std::string::npos)
      collect(bond.path, "E_DUPLICATE",
              "there are two bonds `" + bond.name + "`; each name must be unique");
  problems_.throw_if_any();
  check_structure(graph_, true);
  return std::move(graph_);
}

void GraphBuilder::add_all(const Components& components, const Bonds& bonds,
                           const BuildScope& place) {
  for (int i = 0; i < components.size(); ++i) {
    const std::string path = indexed_path(place.path, "components", i);
    try {
      add_component(components[i], place, path);
    } catch (const SettingError& error) {
      problems_.add_below("", error);
    }
  }
  for (int i = 0; i < bonds.size(); ++i) {
    const std::string path = indexed_path(place.path, "bonds", i);
    // Further messages about the neighbours of a wrong component would not help.
    if (!problems_.empty()) continue;
    try {
      add_bond(bonds[i], place, path);
    } catch (const SettingError& error) {
      problems_.add_below("", error);
    }
  }
}

int GraphBuilder::find_template(const std::string& type, const std::string& name,
                                const std::string& path) const {
  std::vector<std::string> known = element_letters();
  for (int i = 0; i < templates_.size(); ++i) {
    if (templates_[i].name() == type) return i;
    known.push_back(templates_[i].name());
  }
  std::string list;
  for (const std::string& one : known) list += (list.empty() ? "" : ", ") + one;
  const std::string meant = suggest(type, known);
  fail("E_TYPE", path + ".type",
       "`" + name + "` is of type `" + type + "`, which is no element and no template" +
           (meant.empty() ? "; known here: " + list : meant));
}

void GraphBuilder::add_component(const config::GraphComponent& component,
                                 const BuildScope& place, const std::string& path) {
  const std::string name = place.prefix + component.name();
  GivenLaw given;
  for (int i = 0; place.laws.laws != nullptr && i < place.laws.laws->size(); ++i)
    if ((*place.laws.laws)[i].part() == component.name()) {
      given.law = &(*place.laws.laws)[i];
      given.path = indexed_path(place.laws.path, "laws", i);
    }
  if (is_element(component.type())) {
    graph_.add(make_element(component, name, given, *place.scope, path));
    return;
  }
  const int index = find_template(component.type(), name, path);
  if (given.law != nullptr)
    fail("E_LAW", given.path,
         "`" + name + "` is made of a template; give laws to its parts where it stands");
  if (place.depth == kDeepest)
    fail("E_TYPE", path + ".type",
         "`" + name + "` is the " + std::to_string(kDeepest + 1) +
             "th template inside another; templates must not contain themselves");
  add_instance(component, index, place, path);
}

void GraphBuilder::check_instance(const config::GraphComponent& component,
                                  const config::GraphTemplate& shape,
                                  const std::string& name, const std::string& path) {
  const std::vector<std::string> params(shape.params().begin(), shape.params().end());
  const std::vector<std::string> parts = part_names(shape);
  const auto knows = [](const std::vector<std::string>& known, const std::string& one) {
    return std::find(known.begin(), known.end(), one) != known.end();
  };
  for (int i = 0; i < component.attributes_size(); ++i)
    if (const std::string& key = component.attributes(i).name(); !knows(params, key))
      collect(indexed_path(path, "attributes", i), "E_UNKNOWN",
              "`" + name + "` (" + shape.name() + ") has no parameter `" + key +
                  "`; known here: " + quoted(params));
  for (int i = 0; i < component.laws_size(); ++i)
    if (const std::string& part = component.laws(i).part(); !knows(parts, part))
      collect(indexed_path(path, "laws", i), "E_UNKNOWN",
              "`" + name + "` (" + shape.name() + ") has no part `" + part +
                  "`; known here: " + quoted(parts));
  if (component.has_law())
    collect(
        path + ".law", "E_LAW",
        "`" + name + "` is made of a template; write laws: {part: {...}} in place of law");
}

void GraphBuilder::add_instance(const config::GraphComponent& component, int index,
                                const BuildScope& place, const std::string& path) {
  const config::GraphTemplate& shape = templates_[index];
  const std::string name = place.prefix + component.name();
  check_instance(component, shape, name, path);
  ParameterScope scope(place.depth == 0 ? &scope_ : place.scope);
  for (const std::string& param : shape.params()) {
    std::optional<std::string> text;
    std::string at = path;
    for (int i = 0; i < component.attributes_size(); ++i)
      if (component.attributes(i).name() == param) {
        text = component.attributes(i).value();
        at = indexed_path(path, "attributes", i);
      }
    scope.define(param, std::move(text), std::move(at));
  }
  const BuildScope inner{.prefix = name + "/",
                         .scope = &scope,
                         .laws = {&component.laws(), path},
                         .path = indexed_path("", "templates", index),
                         .depth = place.depth + 1};
  terminals_[name] = {};
  add_all(shape.components(), shape.bonds(), inner);
  if (!problems_.empty()) return;
  for (int i = 0; i < shape.ports_size(); ++i) {
    const std::string at = indexed_path(inner.path, "ports", i);
    const std::string part = end_of_bond(shape.ports(i).component(), inner, at);
    if (graph_.find(part) == graph_.elements().size())
      collect(at, "E_UNKNOWN",
              "the port `" + shape.ports(i).port() + "` of `" + shape.name() +
                  "` stands for `" + shape.ports(i).component() +
                  "`, which is none of its components; known here: " +
                  quoted(part_names(shape)));
    terminals_[name][shape.ports(i).port()] = part;
  }
}

std::string GraphBuilder::end_of_bond(const std::string& text, const BuildScope& place,
                                      const std::string& path) const {
  std::string full = place.prefix + text;
  const auto ports_of = [&](const std::string& instance) {
    std::vector<std::string> ports;
    for (const auto& [port, part] : terminals_.at(instance))
      ports.push_back(instance + "." + port);
    return quoted(ports);
  };
  if (terminals_.contains(full))
    fail("E_PORTS", path,
         "`" + full + "` is made of a template, so that a bond must say its port: " +
             ports_of(full));
  const std::size_t dot = full.rfind('.');
  if (dot == std::string::npos || !terminals_.contains(full.substr(0, dot))) return full;
  const std::string instance = full.substr(0, dot);
  const auto& ports = terminals_.at(instance);
  const auto port = ports.find(full.substr(dot + 1));
  if (port == ports.end())
    fail("E_PORTS", path,
         "`" + instance + "` has no port `" + full.substr(dot + 1) + "`; it has " +
             ports_of(instance));
  return port->second;
}

void GraphBuilder::add_bond(const config::GraphBond& bond, const BuildScope& place,
                            const std::string& path) {
  const std::string tail = end_of_bond(bond.tail(), place, path);
  const std::string head = end_of_bond(bond.head(), place, path);
  graph_.connect(tail, head,
                 bond.name().empty()
                     ? place.prefix + bond.tail() + " -> " + place.prefix + bond.head()
                     : place.prefix + bond.name(),
                 path);
}

}  // namespace trestle::bond_graph
