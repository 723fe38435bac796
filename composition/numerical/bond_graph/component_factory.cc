#include "composition/numerical/bond_graph/component_factory.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include "composition/numerical/mechanics_factory.h"
#include "core/base/nearest_name.h"
#include "core/base/setting_error_collector.h"
#include "numerical/bond_graph/fault.h"
#include "numerical/bond_graph/hysteretic_law.h"
#include "numerical/bond_graph/polynomial_law.h"
#include "numerical/bond_graph/table_law.h"
#include "proto/config/bond_graph.pb.h"

namespace trestle::bond_graph {
namespace {

/// The meaning of the letters, and the one number of the element.
struct ElementKind {
  const char* letters;
  ElementType type;
  const char* number;  // null: none
  config::Dimension dimension;
  const char* meaning;
};

constexpr ElementKind kKinds[] = {
    {"Se", ElementType::kEffortSource, nullptr, config::PLAIN, ""},
    {"Sf", ElementType::kFlowSource, nullptr, config::PLAIN, ""},
    {"I", ElementType::kInertia, "m", config::GENERALISED_MASS, "mass"},
    {"C", ElementType::kSpring, "k", config::STIFFNESS, "stiffness"},
    {"R", ElementType::kResistor, "c", config::DAMPING, "damping"},
    {"TF", ElementType::kTransformer, "n", config::PLAIN, "ratio"},
    {"GY", ElementType::kGyrator, "r", config::PLAIN, "ratio"},
    {"0", ElementType::kZeroJunction, nullptr, config::PLAIN, ""},
    {"1", ElementType::kOneJunction, nullptr, config::PLAIN, ""},
    {"De", ElementType::kEffortDetector, nullptr, config::PLAIN, ""},
    {"Df", ElementType::kFlowDetector, nullptr, config::PLAIN, ""},
};

const ElementKind* find_kind(const std::string& letters) {
  const auto* at =
      std::find_if(std::begin(kKinds), std::end(kKinds),
                   [&](const ElementKind& kind) { return kind.letters == letters; });
  return at == std::end(kKinds) ? nullptr : at;
}

bool is_effort(config::GraphVariable variable) {
  return variable == config::GRAPH_VARIABLE_EFFORT || variable == config::GRAPH_VARIABLE_E;
}

ConstitutiveLawFactory polynomial_maker(const config::Polynomial& message) {
  std::vector<double> coefficients(message.coefficients().begin(),
                                   message.coefficients().end());
  return [coefficients] {
    return std::make_unique<PolynomialLaw>(coefficients);
  };
}

ConstitutiveLawFactory table_maker(const std::vector<TableLaw::Point>& points) {
  const TableLaw checked(points);
  return [points] {
    return std::make_unique<TableLaw>(points);
  };
}

ConstitutiveLawFactory bilinear_maker(const config::BilinearElastic& message) {
  const double knee = message.knee();
  const double force = message.first() * knee;
  return table_maker({{-2.0 * knee, -force - message.second() * knee},
                      {-knee, -force},
                      {knee, force},
                      {2.0 * knee, force + message.second() * knee}});
}

ConstitutiveLawFactory table_maker(const config::GraphTable& message) {
  std::vector<TableLaw::Point> points;
  for (const config::Row& row : message.points()) {
    if (row.values_size() != 2)
      throw SettingError("", "has a point of " + std::to_string(row.values_size()) +
                                 " numbers; each is [argument, value]");
    points.push_back({row.values(0), row.values(1)});
  }
  return table_maker(points);
}

ConstitutiveLawFactory hysteresis_maker(const config::RestoringForceLaw& message,
                                        const std::string& path) {
  composition::make_restoring_force(message, path);  // for its complaints
  return [message] {
    return std::make_unique<HystereticLaw>(composition::make_restoring_force(message, ""));
  };
}

ConstitutiveLawFactory make_law(const config::GraphLaw& law, ElementType type,
                                const std::string& path) {
  const auto spring_only = [&](const char* what) {
    if (type != ElementType::kSpring)
      throw SettingError("", std::string("is ") + what +
                                 ", which only a spring (C) can have; write poly or table");
  };
  switch (law.law_case()) {
    case config::GraphLaw::kPoly:
      return polynomial_maker(law.poly());
    case config::GraphLaw::kTable:
      return table_maker(law.table());
    case config::GraphLaw::kBilinear:
      spring_only("bilinear");
      return bilinear_maker(law.bilinear());
    case config::GraphLaw::kHysteresis:
      spring_only("a hysteresis");
      return hysteresis_maker(law.hysteresis(), path + ".hysteresis");
    case config::GraphLaw::LAW_NOT_SET:
      break;
  }
  throw SettingError("", "is empty; write poly, table, bilinear or hysteresis");
}

void set_law(Element& element, const config::GraphLaw& law, const std::string& path) {
  const std::string what = "the law of `" + element.name + "` ";
  if (!is_storage(element.type) && element.type != ElementType::kResistor)
    fail("E_LAW", path,
         what + "has no place; only masses (I), springs (C) and dampers (R) have one");
  if (is_effort(law.of()) && element.type != ElementType::kResistor)
    fail("E_LAW", path,
         what + "is of effort, which only a damper's (R) can be; leave `of` out");
  try {
    element.law = make_law(law, element.type, path);
  } catch (const SettingError& error) {
    if (!error.problems().front().path.empty()) throw;
    fail("E_LAW", path, what + error.problems().front().what);
  }
  element.law_of_effort = is_effort(law.of());
}

void check_attributes(const config::GraphComponent& component, const ElementKind& kind,
                      const std::string& name, const std::string& path) {
  SettingErrorCollector problems;
  for (int i = 0; i < component.attributes_size(); ++i) {
    const std::string& key = component.attributes(i).name();
    if (kind.number != nullptr && key == kind.number) continue;
    problems.add(
        path + ".attributes[" + std::to_string(i) + "]",
        coded("`" + name + "` (" + kind.letters + ") has no setting `" + key + "`; " +
                  (kind.number != nullptr
                       ? "known here: " + std::string(kind.number) + ", law"
                       : "it takes no number"),
              "E_UNKNOWN"));
  }
  if (component.laws_size() > 0)
    problems.add(path + ".laws", coded("`" + name + "` (" + kind.letters +
                                           ") has no parts; write law in place of laws",
                                       "E_UNKNOWN"));
  problems.throw_if_any();
}

}  // namespace

std::vector<std::string> element_letters() {
  std::vector<std::string> letters;
  for (const ElementKind& kind : kKinds) letters.emplace_back(kind.letters);
  return letters;
}

bool is_element(const std::string& letters) {
  return find_kind(letters) != nullptr;
}

Element make_element(const config::GraphComponent& component, const std::string& name,
                     const config::GraphLaw* law, const std::string& law_path,
                     const ParameterScope& scope, const std::string& path) {
  const ElementKind& kind = *find_kind(component.type());
  check_attributes(component, kind, name, path);
  Element element{.name = name, .type = kind.type, .path = path};
  const int numbers = component.attributes_size();
  if (law != nullptr) {
    set_law(element, *law, law_path);
  } else if (component.has_law()) {
    if (numbers > 0)
      fail("E_LAW", path + ".law",
           "`" + name + "` has a law and a " + kind.meaning + " `" + kind.number +
               "`; give one of them");
    if (!component.law().part().empty())
      fail("E_LAW", path + ".law.part",
           "`" + name + "` has no parts; leave `part` out of its law");
    set_law(element, component.law(), path + ".law");
  } else if (kind.number != nullptr) {
    if (numbers == 0)
      fail("E_PARAM", path,
           "`" + name + "` (" + kind.letters + ") has no " + kind.meaning +
               "; give it as `" + kind.number + "`" +
               (is_two_port(kind.type) ? "" : ", or a law"));
    element.value = scope.number(component.attributes(0).value(), kind.dimension,
                                 std::string(kind.number) + " of `" + name + "`",
                                 path + ".attributes[0]");
  }
  return element;
}

}  // namespace trestle::bond_graph
