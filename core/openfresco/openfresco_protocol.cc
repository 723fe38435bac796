#include "core/openfresco/openfresco_protocol.h"

#include <bit>
#include <cstring>

namespace trestle::openfresco {
namespace {

template <typename Unsigned>
Unsigned read_unsigned(const std::byte* from) noexcept {
  Unsigned value = 0;
  for (std::size_t i = 0; i < sizeof(Unsigned); ++i)
    value |= static_cast<Unsigned>(std::to_integer<Unsigned>(from[i]) << (8 * i));
  return value;
}

template <typename Unsigned>
void write_unsigned(Unsigned value, std::byte* to) noexcept {
  for (std::size_t i = 0; i < sizeof(Unsigned); ++i)
    to[i] = static_cast<std::byte>((value >> (8 * i)) & 0xFFu);
}

std::string counts(const Responses& responses) {
  return std::to_string(responses.displacement) + " " + std::to_string(responses.velocity) +
         " " + std::to_string(responses.acceleration) + " " +
         std::to_string(responses.force) + " " + std::to_string(responses.time);
}

bool none_or(std::int32_t count, std::int32_t all) noexcept {
  return count == 0 || count == all;
}

}  // namespace

std::int32_t read_integer(std::span<const std::byte, kIntegerBytes> bytes) noexcept {
  return static_cast<std::int32_t>(read_unsigned<std::uint32_t>(bytes.data()));
}

double read_real(std::span<const std::byte, kRealBytes> bytes) noexcept {
  return std::bit_cast<double>(read_unsigned<std::uint64_t>(bytes.data()));
}

void write_integer(std::int32_t value, std::span<std::byte, kIntegerBytes> bytes) noexcept {
  write_unsigned(static_cast<std::uint32_t>(value), bytes.data());
}

void write_real(double value, std::span<std::byte, kRealBytes> bytes) noexcept {
  write_unsigned(std::bit_cast<std::uint64_t>(value), bytes.data());
}

void read_reals(std::span<const std::byte> bytes, std::span<double> values) noexcept {
  if constexpr (std::endian::native == std::endian::little) {
    std::memcpy(values.data(), bytes.data(), values.size() * kRealBytes);
    return;
  }
  for (double& value : values) {
    value = read_real(bytes.first<kRealBytes>());
    bytes = bytes.subspan(kRealBytes);
  }
}

void write_reals(std::span<const double> values, std::span<std::byte> bytes) noexcept {
  if constexpr (std::endian::native == std::endian::little) {
    std::memcpy(bytes.data(), values.data(), values.size() * kRealBytes);
    return;
  }
  for (const double value : values) {
    write_real(value, bytes.first<kRealBytes>());
    bytes = bytes.subspan(kRealBytes);
  }
}

Responses read_responses(std::span<const std::byte> bytes) noexcept {
  Responses to;
  for (std::int32_t* count :
       {&to.displacement, &to.velocity, &to.acceleration, &to.force, &to.time}) {
    *count = read_integer(bytes.first<kIntegerBytes>());
    bytes = bytes.subspan(kIntegerBytes);
  }
  return to;
}

Sizes read_sizes(std::span<const std::byte> bytes) noexcept {
  return {read_responses(bytes), read_responses(bytes.subspan(kResponsesBytes)),
          read_integer(bytes.subspan(2 * kResponsesBytes).first<kIntegerBytes>())};
}

void write_responses(const Responses& responses, std::span<std::byte> bytes) noexcept {
  for (const std::int32_t count :
       {responses.displacement, responses.velocity, responses.acceleration, responses.force,
        responses.time}) {
    write_integer(count, bytes.first<kIntegerBytes>());
    bytes = bytes.subspan(kIntegerBytes);
  }
}

void write_sizes(const Sizes& sizes, std::span<std::byte> bytes) noexcept {
  write_responses(sizes.control, bytes);
  write_responses(sizes.measured, bytes.subspan(kResponsesBytes));
  write_integer(sizes.data, bytes.subspan(2 * kResponsesBytes).first<kIntegerBytes>());
}

std::string problem_of(const Sizes& sizes, std::int32_t controlled, std::int32_t forces) {
  const Responses& control = sizes.control;
  const Responses& measured = sizes.measured;
  for (const Responses* each : {&control, &measured})
    for (const std::int32_t count :
         {each->displacement, each->velocity, each->acceleration, each->force, each->time})
      if (count < 0 || count > kLargestData)
        return "a size of " + std::to_string(count) + " (" + counts(control) + " out, " +
               counts(measured) + " back)";
  if (control.displacement != controlled)
    return "displacements of " + std::to_string(control.displacement) +
           " DOFs, where the sites have " + std::to_string(controlled);
  if (control.force != 0)
    return "force commands for " + std::to_string(control.force) +
           " DOFs; the sites are moved by displacement only";
  if (!none_or(control.velocity, controlled) ||
      !none_or(control.acceleration, controlled) || control.time > 1)
    return "rates and times of sizes " + counts(control) + ", where the sites have " +
           std::to_string(controlled) + " DOFs";
  if (!none_or(measured.displacement, controlled) ||
      !none_or(measured.velocity, controlled) ||
      !none_or(measured.acceleration, controlled) || measured.time > 1)
    return "wants responses of sizes " + counts(measured) + ", where the sites have " +
           std::to_string(controlled) + " DOFs";
  if (!none_or(measured.force, controlled) && measured.force != forces)
    return "wants " + std::to_string(measured.force) + " forces, where the sites have " +
           std::to_string(forces);
  if (sizes.data < 2 || sizes.data > kLargestData)
    return "messages of " + std::to_string(sizes.data) + " reals; from 2 to " +
           std::to_string(kLargestData) + " are possible";
  if (sizes.data < 1 + control.all() || sizes.data < measured.all())
    return "messages of " + std::to_string(sizes.data) + " reals, which do not hold " +
           std::to_string(1 + control.all()) + " out and " +
           std::to_string(measured.all()) + " back";
  return {};
}

}  // namespace trestle::openfresco
