#include "udp_frame.h"

#include <cstring>

namespace equipment {
namespace {

constexpr std::uint32_t kOrder = 0x7254, kReport = 0x7255;

// IEEE 802.3, bit by bit.
std::uint32_t sum_of(const std::uint8_t* bytes, std::size_t size) {
  std::uint32_t sum = 0xffffffffu;
  for (std::size_t i = 0; i < size; ++i) {
    sum ^= bytes[i];
    for (int bit = 0; bit < 8; ++bit)
      sum = (sum >> 1) ^ ((sum & 1u) != 0 ? 0xedb88320u : 0u);
  }
  return ~sum;
}

std::uint32_t word_at(const std::uint8_t* bytes) {
  return static_cast<std::uint32_t>(bytes[0]) | static_cast<std::uint32_t>(bytes[1]) << 8 |
         static_cast<std::uint32_t>(bytes[2]) << 16 |
         static_cast<std::uint32_t>(bytes[3]) << 24;
}

double number_at(const std::uint8_t* bytes) {
  const std::uint64_t bits = word_at(bytes) | static_cast<std::uint64_t>(word_at(bytes + 4))
                                                  << 32;
  double number = 0.0;
  std::memcpy(&number, &bits, sizeof number);
  return number;
}

void put_word(std::vector<std::uint8_t>& bytes, std::uint32_t word) {
  for (int i = 0; i < 4; ++i) bytes.push_back(static_cast<std::uint8_t>(word >> (8 * i)));
}

void put_number(std::vector<std::uint8_t>& bytes, double number) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &number, sizeof bits);
  put_word(bytes, static_cast<std::uint32_t>(bits));
  put_word(bytes, static_cast<std::uint32_t>(bits >> 32));
}

}  // namespace

bool read_order(const std::uint8_t* bytes, std::size_t size, std::size_t actuators,
                OrderFrame& frame) {
  if (size != 12 + 8 * actuators + 4 || word_at(bytes) != kOrder ||
      word_at(bytes + size - 4) != sum_of(bytes, size - 4) || bytes[8] > 3) {
    return false;
  }
  frame.sequence = word_at(bytes + 4);
  frame.command = bytes[8];
  for (std::size_t i = 0; i < actuators; ++i)
    frame.drive[i] = 1e-3 * number_at(bytes + 12 + 8 * i);
  return true;
}

std::vector<std::uint8_t> report_bytes(const ReportFrame& frame, std::size_t actuators) {
  std::vector<std::uint8_t> bytes;
  put_word(bytes, kReport);
  put_word(bytes, frame.sequence);
  put_word(bytes, frame.echo);
  put_word(bytes, frame.status);  // and three of padding
  for (std::size_t i = 0; i < actuators; ++i)
    put_number(bytes, 1e3 * frame.displacement[i]);
  for (std::size_t i = 0; i < actuators; ++i) put_number(bytes, 1e-3 * frame.force[i]);
  for (std::size_t i = 0; i < actuators; ++i) put_number(bytes, 1e3 * frame.drive[i]);
  put_word(bytes, sum_of(bytes.data(), bytes.size()));
  return bytes;
}

}  // namespace equipment
