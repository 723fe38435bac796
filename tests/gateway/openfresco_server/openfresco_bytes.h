#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <vector>

namespace trestle::openfresco_server {

using Bytes = std::vector<std::byte>;

/// What a client writes, made without the code under test.
inline Bytes integers(std::initializer_list<std::int32_t> values) {
  Bytes bytes(values.size() * 4);
  std::memcpy(bytes.data(), values.begin(), bytes.size());
  return bytes;
}

/// `values`, then zeros, `size` reals in all.
inline Bytes reals(std::vector<double> values, std::size_t size) {
  values.resize(size, 0.0);
  Bytes bytes(size * 8);
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

inline std::vector<double> reals_of(const Bytes& bytes) {
  std::vector<double> values(bytes.size() / 8);
  std::memcpy(values.data(), bytes.data(), values.size() * 8);
  return values;
}

/// genericClient's sizes for n DOFs, and those of expElement -server.
inline Bytes generic_sizes(std::int32_t n, std::int32_t data) {
  return integers({n, n, n, 0, 1, 0, 0, 0, n, 0, data});
}
inline Bytes site_sizes(std::int32_t n, std::int32_t data) {
  return integers({n, n, n, 0, 1, n, n, n, n, 1, data});
}

inline Bytes operator+(Bytes first, const Bytes& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

}  // namespace trestle::openfresco_server
