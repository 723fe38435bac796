#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "adapters/modbus_tcp/register_value.h"

namespace trestle::modbus_tcp {

/// One number in the registers of a PLC. A number x in them means (x scale + offset) unit.
struct Register {
  std::uint16_t address = 0;  ///< in the protocol: from 0
  bool is_input = false;      ///< an input register; otherwise a holding register
  RegisterType type = RegisterType::kU16;
  WordOrder order = WordOrder::kBig;
  double scale = 1.0;
  double offset = 0.0;                                      ///< in `unit`
  double unit = 1.0;                                        ///< to SI
  double least = -std::numeric_limits<double>::infinity();  ///< of its range, in SI
  double most = std::numeric_limits<double>::infinity();
  bool rotates = false;  ///< its unit is one of angle
  std::string name{};    ///< in sentences: "force of actuator 1"
  std::string unit_name{};
  std::string channel{};  ///< name of the channel; empty: none

  std::size_t words() const noexcept { return registers_of(type); }
};

/// "input register 212", "holding registers 20 to 23".
std::string place_of(bool is_input, std::uint16_t address, std::size_t words);

/// Registers in an unbroken row, which one request can read or write.
struct RegisterBlock {
  bool is_input = false;
  std::uint16_t address = 0;
  std::size_t words = 0;
  std::size_t at = 0;  ///< words of the table before it
};

/// Several registers, and the requests that carry them. All words of all requests form one
/// row of numbers, in which each register has its place.
class RegisterTable {
 public:
  /// @param most_words  that one request can carry
  /// @throws std::runtime_error  if two registers overlap
  RegisterTable(std::vector<Register> registers, std::size_t most_words);

  const std::vector<Register>& registers() const noexcept { return registers_; }
  const std::vector<RegisterBlock>& blocks() const noexcept { return blocks_; }
  /// Of all requests.
  std::size_t words() const noexcept { return words_; }

  // Neither allocates or throws. @pre `words` has the length words()

  /// In SI; may be not finite.
  double value(std::size_t index, std::span<const std::uint16_t> words) const noexcept;
  /// @returns false if the value is outside the register's range or does not fit into its
  ///          type: nothing is written
  bool set_value(std::size_t index, double value,
                 std::span<std::uint16_t> words) const noexcept;

 private:
  std::vector<Register> registers_;
  std::vector<std::size_t> places_;  // of each register in the row of words
  std::vector<RegisterBlock> blocks_;
  std::size_t words_ = 0;
};

}  // namespace trestle::modbus_tcp
