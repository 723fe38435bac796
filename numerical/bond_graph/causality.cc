#include "numerical/bond_graph/causality.h"

#include <optional>

#include "numerical/bond_graph/fault.h"

namespace trestle::bond_graph {
namespace {

enum class CausalStroke : std::int8_t { kUnknown, kTail, kHead };

/// Two components that prescribe the same quantity, and the place.
struct Conflict {
  std::size_t at;  // element
  std::size_t first;
  std::size_t second;
};

class Assigner {
 public:
  explicit Assigner(const Graph& graph)
      : graph_(graph),
        strokes_(graph.bonds().size(), CausalStroke::kUnknown),
        cause_(graph.bonds().size(), 0) {}

  Causality run();

 private:
  bool knows(const BondEnd& end) const {
    return strokes_[end.bond] != CausalStroke::kUnknown;
  }
  bool receives_effort(const BondEnd& end) const {
    return (strokes_[end.bond] == CausalStroke::kHead) == end.is_head;
  }
  void set(const BondEnd& end, bool receives, std::size_t cause);
  void propagate();
  void examine(std::size_t element);
  void examine_junction(std::size_t element);
  void examine_two_port(std::size_t element);
  void demand(std::size_t element, bool receives_effort);
  void prefer(std::size_t element, bool receives_effort);
  bool try_to(const BondEnd& end, bool receives, std::size_t cause);
  [[noreturn]] void say_conflict() const;

  const Graph& graph_;
  std::vector<CausalStroke> strokes_;
  std::vector<std::size_t> cause_;    // per bond: the element that set off its assignment
  std::vector<std::size_t> waiting_;  // elements to look at
  std::optional<Conflict> conflict_;
};

void Assigner::set(const BondEnd& end, bool receives, std::size_t cause) {
  const CausalStroke stroke =
      receives == end.is_head ? CausalStroke::kHead : CausalStroke::kTail;
  const Bond& bond = graph_.bond(end.bond);
  if (strokes_[end.bond] == stroke) return;
  if (strokes_[end.bond] != CausalStroke::kUnknown) {
    if (!conflict_)
      conflict_ = Conflict{end.is_head ? bond.tail : bond.head, cause_[end.bond], cause};
    return;
  }
  strokes_[end.bond] = stroke;
  cause_[end.bond] = cause;
  waiting_.push_back(bond.tail);
  waiting_.push_back(bond.head);
}

void Assigner::propagate() {
  while (!waiting_.empty() && !conflict_) {
    const std::size_t element = waiting_.back();
    waiting_.pop_back();
    examine(element);
  }
  waiting_.clear();
}

void Assigner::examine(std::size_t element) {
  if (is_junction(graph_.element(element).type)) examine_junction(element);
  if (is_two_port(graph_.element(element).type)) examine_two_port(element);
}

// The strong bond brings a 0-junction its effort, a 1-junction its flow.
void Assigner::examine_junction(std::size_t element) {
  const bool zero = graph_.element(element).type == ElementType::kZeroJunction;
  const std::vector<BondEnd>& ends = graph_.ends(element);
  std::vector<const BondEnd*> unknown;
  const BondEnd* strong = nullptr;
  std::size_t weak_cause = element;
  std::size_t other_weak_cause = element;
  for (const BondEnd& end : ends) {
    if (!knows(end)) {
      unknown.push_back(&end);
    } else if (receives_effort(end) == zero) {
      if (strong != nullptr) {
        conflict_ = Conflict{element, cause_[strong->bond], cause_[end.bond]};
        return;
      }
      strong = &end;
    } else {
      other_weak_cause = weak_cause;
      weak_cause = cause_[end.bond];
    }
  }
  if (strong != nullptr) {
    for (const BondEnd* end : unknown) set(*end, !zero, cause_[strong->bond]);
  } else if (unknown.empty()) {
    conflict_ = Conflict{element, other_weak_cause, weak_cause};
  } else if (unknown.size() == 1) {
    set(*unknown.front(), zero, weak_cause);
  }
}

void Assigner::examine_two_port(std::size_t element) {
  const bool gyrator = graph_.element(element).type == ElementType::kGyrator;
  const BondEnd& one = graph_.side(element, 1);
  const BondEnd& two = graph_.side(element, 2);
  if (knows(one)) set(two, receives_effort(one) == gyrator, cause_[one.bond]);
  if (knows(two)) set(one, receives_effort(two) == gyrator, cause_[two.bond]);
}

void Assigner::demand(std::size_t element, bool receives_effort) {
  set(graph_.ends(element).front(), receives_effort, element);
  propagate();
  if (conflict_) say_conflict();
}

bool Assigner::try_to(const BondEnd& end, bool receives, std::size_t cause) {
  const auto strokes = strokes_;
  const auto causes = cause_;
  set(end, receives, cause);
  propagate();
  if (!conflict_) return true;
  strokes_ = strokes;
  cause_ = causes;
  return false;
}

void Assigner::prefer(std::size_t element, bool receives_effort) {
  const BondEnd& end = graph_.ends(element).front();
  if (knows(end) || try_to(end, receives_effort, element)) return;
  const Conflict first = *conflict_;
  conflict_.reset();
  if (try_to(end, !receives_effort, element)) return;
  conflict_ = first;
  say_conflict();
}

void Assigner::say_conflict() const {
  const Element& at = graph_.element(conflict_->at);
  const std::string& first = graph_.element(conflict_->first).name;
  const std::string& second = graph_.element(conflict_->second).name;
  std::string sentence =
      conflict_->first == conflict_->second
          ? "`" + first + "` demands contrary things of `" + at.name + "`"
          : "`" + first + "` and `" + second + "` contradict each other at `" + at.name +
                "`";
  if (at.type == ElementType::kOneJunction)
    sentence +=
        ": exactly one component must give this junction its flow (velocity); put a spring "
        "between two that prescribe it, or a mass on a junction where none does";
  else if (at.type == ElementType::kZeroJunction)
    sentence +=
        ": exactly one component must give this junction its effort (force); put a mass "
        "between two that prescribe it, or a spring on a junction where none does";
  else
    sentence +=
        ": the one prescribes what the other prescribes as well; put a spring or a mass "
        "between them";
  fail("E_CAUSAL_CONFLICT", at.path, sentence);
}

Causality Assigner::run() {
  const std::vector<Element>& elements = graph_.elements();
  Causality result;
  for (std::size_t i = 0; i < elements.size(); ++i) {
    const ElementType type = elements[i].type;
    if (is_source(type) || type == ElementType::kPort)
      demand(i, type == ElementType::kFlowSource ||
                    (type == ElementType::kPort && !elements[i].imposes_effort));
    if (type == ElementType::kEffortDetector) demand(i, true);
    if (type == ElementType::kFlowDetector) demand(i, false);
  }
  for (std::size_t i = 0; i < elements.size(); ++i)
    if (elements[i].type == ElementType::kResistor && elements[i].law)
      demand(i, elements[i].law_of_effort);
  for (std::size_t i = 0; i < elements.size(); ++i)
    if (is_storage(elements[i].type)) prefer(i, elements[i].type == ElementType::kInertia);
  for (std::size_t i = 0; i < elements.size(); ++i)
    if (elements[i].type == ElementType::kResistor && !knows(graph_.ends(i).front())) {
      result.chosen.push_back(i);
      prefer(i, false);
    }
  for (std::size_t b = 0; b < strokes_.size(); ++b) {
    const BondEnd head{b, true, 0};
    if (!knows(head) && !try_to(head, true, graph_.bond(b).tail)) {
      conflict_.reset();
      if (!try_to(head, false, graph_.bond(b).tail)) say_conflict();
    }
  }
  for (const CausalStroke stroke : strokes_)
    result.effort_to_head.push_back(stroke == CausalStroke::kHead);
  for (std::size_t i = 0; i < elements.size(); ++i) {
    if (!is_storage(elements[i].type)) continue;
    const bool integral = result.receives_effort(graph_.ends(i).front()) ==
                          (elements[i].type == ElementType::kInertia);
    (integral ? result.integral : result.derivative).push_back(i);
  }
  return result;
}

}  // namespace

Causality assign_causality(const Graph& graph) {
  return Assigner(graph).run();
}

}  // namespace trestle::bond_graph
