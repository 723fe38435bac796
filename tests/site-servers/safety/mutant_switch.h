#pragma once

#include <cstdlib>

/// What mutate.py writes into a source in place of what it mutates: all mutants are in one
/// program, and MUTANT in the environment says which of them is alive. 0: none.
namespace trestle::mutants {

inline bool alive(int mutant) {
  static const int which = [] {
    const char* text = std::getenv("MUTANT");
    return text != nullptr ? std::atoi(text) : 0;
  }();
  return which == mutant;
}

enum class Op { kLess, kLessEqual, kGreater, kGreaterEqual, kEqual, kUnequal };

template <typename Left, typename Right>
bool holds(Op op, const Left& left, const Right& right) {
  switch (op) {
    case Op::kLess:
      return left < right;
    case Op::kLessEqual:
      return left <= right;
    case Op::kGreater:
      return left > right;
    case Op::kGreaterEqual:
      return left >= right;
    case Op::kEqual:
      return left == right;
    default:
      return left != right;
  }
}

template <typename Value>
Value same(Value value) {
  return value;
}

/// a |Compare{...}| b binds as a comparison does where the operands are sums and products.
struct Compare {
  int first;  // mutant: the boundary; then: the contrary; then: the other way round
  Op op;
  Op boundary;
  Op contrary;
  Op other_way;
};

template <typename Left>
struct HalfCompared {
  const Left& left;
  Compare compare;
};

template <typename Left>
HalfCompared<Left> operator|(const Left& left, Compare compare) {
  return {left, compare};
}

template <typename Left, typename Right>
bool operator|(HalfCompared<Left> half, const Right& right) {
  const Compare& it = half.compare;
  if (alive(it.first)) return holds(it.boundary, half.left, right);
  if (alive(it.first + 1)) return holds(it.contrary, half.left, right);
  if (alive(it.first + 2)) return holds(it.other_way, half.left, right);
  return holds(it.op, half.left, right);
}

}  // namespace trestle::mutants

#define MUTANT_FORCED(first, ...)                 \
  (::trestle::mutants::alive(first)       ? true  \
   : ::trestle::mutants::alive(first + 1) ? false \
                                          : static_cast<bool>(__VA_ARGS__))
#define MUTANT_DROPPED(mutant, ...)           \
  {                                           \
    if (!::trestle::mutants::alive(mutant)) { \
      __VA_ARGS__;                            \
    }                                         \
  }
#define MUTANT_NUMBER(mutant, number) \
  (::trestle::mutants::alive(mutant) ? number + 1 : number)
/// Calls one function or the other; both take the arguments in the brackets that follow.
#define MUTANT_CALL(mutant, one, other)                             \
  [](const auto&... values) {                                       \
    if (::trestle::mutants::alive(mutant)) return other(values...); \
    return one(values...);                                          \
  }
