#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace trestle::udp_target {

/// The content of a field of a frame.
enum class FieldRole : std::uint8_t {
  kConstant,  ///< always the same number: a frame with another one is none of ours
  kPadding,
  kSequence,  ///< number of the frame, counted by its sender; wraps
  kCommand,   ///< sent: what the target shall do
  kDrive,     ///< sent: of an actuator
  kOutput,    ///< sent: 1, a digital output is closed; 0, it is open
  kEcho,      ///< received: number of the last frame that the target had from us
  kStatus,    ///< received: 0 is well, everything else stops the run
  kDisplacement,
  kForce,
  kVelocity,
  kAcceleration,
  kReaction,
  kAuxiliary,
  kChecksum,  ///< CRC-32 (IEEE 802.3) of all bytes before it
};

enum class NumberType : std::uint8_t {
  kU8,
  kI8,
  kU16,
  kI16,
  kU32,
  kI32,
  kU64,
  kI64,
  kF32,
  kF64
};

std::size_t size_of(NumberType type) noexcept;

/// One field. In SI a number x of the frame means (x scale + offset) unit.
struct Field {
  FieldRole meaning = FieldRole::kPadding;
  NumberType type = NumberType::kU8;
  std::uint32_t index = 0;  ///< of the actuator, reaction or auxiliary channel, from 0
  double scale = 1.0;
  double offset = 0.0;  ///< in the frame's unit
  double unit = 1.0;    ///< to SI
  std::uint64_t constant = 0;
  std::size_t at = 0;    ///< bytes before it
  bool rotates = false;  ///< of an actuator: its unit is one of angle
  std::string name{};    ///< shown in messages
  std::string unit_name{};
  std::string path{};  ///< of its setting
};

/// A frame: its fields one behind the other, without gaps.
struct FrameLayout {
  std::vector<Field> fields;
  bool big_endian = false;
  std::size_t size = 0;  ///< [byte]

  /// The first field of a meaning, or null.
  const Field* find(FieldRole meaning, std::uint32_t index = 0) const noexcept;
  std::uint32_t count(FieldRole meaning) const noexcept;
};

// None of these allocates or throws. @pre the bytes are as long as the frame

std::uint64_t read_bits(std::span<const std::uint8_t> frame, const Field& field,
                        bool big_endian) noexcept;
void write_bits(std::span<std::uint8_t> frame, const Field& field, bool big_endian,
                std::uint64_t bits) noexcept;

/// In SI; not finite where the frame's number is not.
double read_number(std::span<const std::uint8_t> frame, const Field& field,
                   bool big_endian) noexcept;
/// @returns false if the number does not fit into the field's type: nothing is written
bool write_number(std::span<std::uint8_t> frame, const Field& field, bool big_endian,
                  double number) noexcept;

std::uint32_t crc32(std::span<const std::uint8_t> bytes) noexcept;

}  // namespace trestle::udp_target
