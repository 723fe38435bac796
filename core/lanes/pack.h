#pragma once

#include <Eigen/Core>
#include <cmath>
#if defined(__AVX__)
#include <immintrin.h>
#endif

namespace trestle::lanes {

template <int L>
struct PackVectors;
template <>
struct PackVectors<2> {
  using Numbers = double __attribute__((vector_size(16)));
  using Mask = long long __attribute__((vector_size(16)));
};
template <>
struct PackVectors<4> {
  using Numbers = double __attribute__((vector_size(32)));
  using Mask = long long __attribute__((vector_size(32)));
};
template <>
struct PackVectors<8> {
  using Numbers = double __attribute__((vector_size(64)));
  using Mask = long long __attribute__((vector_size(64)));
};

/// L numbers of L runs, one per lane: a number type for classes that are templates on it.
/// Each operation is that of the machine on each lane, so a lane has the bits of a run with
/// `double`. Comparisons give a mask, with which select() chooses.
template <int L>
class Pack {
 public:
  using Numbers = typename PackVectors<L>::Numbers;
  using Mask = typename PackVectors<L>::Mask;
  static constexpr int kLanes = L;

  Pack() = default;
  // NOLINTNEXTLINE(google-explicit-constructor): one number for all lanes, as a literal
  Pack(double value) : numbers(value - Numbers{}) {}
  explicit Pack(Numbers values) : numbers(values) {}

  double operator[](int lane) const noexcept { return numbers[lane]; }
  void set(int lane, double value) noexcept { numbers[lane] = value; }

  friend Pack operator+(Pack a, Pack b) noexcept { return Pack(a.numbers + b.numbers); }
  friend Pack operator-(Pack a, Pack b) noexcept { return Pack(a.numbers - b.numbers); }
  friend Pack operator*(Pack a, Pack b) noexcept { return Pack(a.numbers * b.numbers); }
  friend Pack operator/(Pack a, Pack b) noexcept { return Pack(a.numbers / b.numbers); }
  Pack operator-() const noexcept { return Pack(-numbers); }
  Pack& operator+=(Pack b) noexcept { return *this = *this + b; }
  Pack& operator-=(Pack b) noexcept { return *this = *this - b; }
  Pack& operator*=(Pack b) noexcept { return *this = *this * b; }
  Pack& operator/=(Pack b) noexcept { return *this = *this / b; }

  friend Mask operator<(Pack a, Pack b) noexcept { return a.numbers < b.numbers; }
  friend Mask operator<=(Pack a, Pack b) noexcept { return a.numbers <= b.numbers; }
  friend Mask operator>(Pack a, Pack b) noexcept { return a.numbers > b.numbers; }
  friend Mask operator==(Pack a, Pack b) noexcept { return a.numbers == b.numbers; }

  Numbers numbers;
};

/// The type of a comparison of this number type.
template <typename Real>
struct MaskOf {
  using Type = bool;
  static constexpr int kLanes = 1;
};
template <int L>
struct MaskOf<Pack<L>> {
  using Type = typename Pack<L>::Mask;
  static constexpr int kLanes = L;
};

/// The bits of the processor's own functions: one lane after another.
template <int L>
Pack<L> sin(Pack<L> x) noexcept {
  for (int i = 0; i < L; ++i) x.set(i, std::sin(x[i]));
  return x;
}
template <int L>
Pack<L> cos(Pack<L> x) noexcept {
  for (int i = 0; i < L; ++i) x.set(i, std::cos(x[i]));
  return x;
}
template <int L>
Pack<L> asin(Pack<L> x) noexcept {
  for (int i = 0; i < L; ++i) x.set(i, std::asin(x[i]));
  return x;
}
/// Correctly rounded, as that of a single number.
template <int L>
Pack<L> sqrt(Pack<L> x) noexcept {
#if defined(__AVX512F__)
  if constexpr (L == 8) return Pack<L>(_mm512_maskz_sqrt_pd(0xff, x.numbers));
#endif
#if defined(__AVX__)
  if constexpr (L == 4) return Pack<L>(_mm256_sqrt_pd(x.numbers));
#endif
  for (int i = 0; i < L; ++i) x.set(i, std::sqrt(x[i]));
  return x;
}
template <int L>
Pack<L> abs(Pack<L> x) noexcept {
  using Mask = typename Pack<L>::Mask;
  constexpr long long kAllButSign = 0x7fff'ffff'ffff'ffff;
  return Pack<L>(reinterpret_cast<typename Pack<L>::Numbers>(
      reinterpret_cast<Mask>(x.numbers) & kAllButSign));
}

inline double select(bool which, double yes, double no) noexcept {
  return which ? yes : no;
}
template <int L>
Pack<L> select(typename Pack<L>::Mask which, Pack<L> yes, Pack<L> no) noexcept {
  return Pack<L>(which ? yes.numbers : no.numbers);
}

/// Where a value is above its limit, or is no number.
inline bool exceeds(double value, double limit) noexcept {
  return !(value <= limit);
}
template <int L>
typename Pack<L>::Mask exceeds(Pack<L> value, Pack<L> limit) noexcept {
  return ~(value <= limit);
}

inline bool is_set(bool mask, int /*lane*/) noexcept {
  return mask;
}
template <typename Mask>
bool is_set(const Mask& mask, int lane) noexcept {
  return mask[lane] != 0;
}

inline double of_lane(double value, int /*lane*/) noexcept {
  return value;
}
template <int L>
double of_lane(Pack<L> value, int lane) noexcept {
  return value[lane];
}
inline void set_lane(double& value, int /*lane*/, double number) noexcept {
  value = number;
}
template <int L>
void set_lane(Pack<L>& value, int lane, double number) noexcept {
  value.set(lane, number);
}

}  // namespace trestle::lanes

/// What Eigen must know of a number type.
template <int L>
struct Eigen::NumTraits<trestle::lanes::Pack<L>> : Eigen::NumTraits<double> {
  using Real = trestle::lanes::Pack<L>;
  using NonInteger = trestle::lanes::Pack<L>;
  using Nested = trestle::lanes::Pack<L>;
  using Literal = double;
  enum { RequireInitialization = 0 };
};
