#include "adapters/modbus_tcp/register_table.h"

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <utility>

namespace trestle::modbus_tcp {

std::string place_of(bool is_input, std::uint16_t address, std::size_t words) {
  std::string place = is_input ? "input register" : "holding register";
  if (words > 1) place += "s";
  place += " " + std::to_string(address);
  if (words > 1) place += " to " + std::to_string(address + words - 1);
  return place;
}

RegisterTable::RegisterTable(std::vector<Register> registers, std::size_t most_words)
    : registers_(std::move(registers)), places_(registers_.size()) {
  std::vector<std::size_t> sorted(registers_.size());
  std::iota(sorted.begin(), sorted.end(), std::size_t{0});
  std::stable_sort(sorted.begin(), sorted.end(), [this](std::size_t a, std::size_t b) {
    return std::pair(registers_[a].is_input, registers_[a].address) <
           std::pair(registers_[b].is_input, registers_[b].address);
  });
  const Register* before = nullptr;
  for (const std::size_t index : sorted) {
    const Register& one = registers_[index];
    const bool follows = before != nullptr && before->is_input == one.is_input &&
                         before->address + before->words() >= one.address;
    if (follows && before->address + before->words() > one.address)
      throw std::runtime_error("the " + before->name + " and the " + one.name +
                               " overlap at " + place_of(one.is_input, one.address, 1) +
                               "; give them separate addresses");
    if (!follows || blocks_.back().words + one.words() > most_words)
      blocks_.push_back({one.is_input, one.address, 0, words_});
    places_[index] = words_;
    blocks_.back().words += one.words();
    words_ += one.words();
    before = &one;
  }
}

double RegisterTable::value(std::size_t index,
                            std::span<const std::uint16_t> words) const noexcept {
  const Register& one = registers_[index];
  const double number =
      decode_registers(words.subspan(places_[index], one.words()), one.type, one.order);
  return (number * one.scale + one.offset) * one.unit;
}

bool RegisterTable::set_value(std::size_t index, double value,
                              std::span<std::uint16_t> words) const noexcept {
  const Register& one = registers_[index];
  if (!(value >= one.least && value <= one.most)) return false;
  return encode_registers((value / one.unit - one.offset) / one.scale, one.type, one.order,
                          words.subspan(places_[index], one.words()));
}

}  // namespace trestle::modbus_tcp
