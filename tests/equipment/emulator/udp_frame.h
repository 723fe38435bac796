#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace equipment {

/// The frame of the emulator, little-endian, as docs/howto/write-an-adapter.md describes
/// it:
///   in:  u32 0x7254, u32 sequence, u8 command, 3 padding, f64 drive [mm] each, u32 CRC-32
///   out: u32 0x7255, u32 sequence, u32 echo, u8 status, 3 padding, f64 displacement [mm]
///   each,
///        f64 force [kN] each, f64 drive in force [mm] each, u32 CRC-32
struct OrderFrame {
  std::uint32_t sequence = 0;
  std::uint8_t command = 0;
  double drive[4] = {};  ///< [m]
};

/// @returns false if it is none of ours
bool read_order(const std::uint8_t* bytes, std::size_t size, std::size_t actuators,
                OrderFrame& frame);

struct ReportFrame {
  std::uint32_t sequence = 0;
  std::uint32_t echo = 0;
  std::uint8_t status = 0;
  double displacement[4] = {};
  double force[4] = {};
  double drive[4] = {};
};
std::vector<std::uint8_t> report_bytes(const ReportFrame& frame, std::size_t actuators);

}  // namespace equipment
