#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "site-servers/node/rig_diary.h"

namespace trestle::composition {

/// Stores in a rig's place what people did to the rig between two tests (`diary`; after the
/// record of a test has it, in `history`), and its zero readings (`zero`).
class RigDiaryFile final : public site_node::RigDiary {
 public:
  struct Settings {
    std::string folder;  ///< the rig's place
    /// Sets aside the drive that a person stated before; may be empty. May throw.
    std::function<void()> on_motion = {};
    std::function<std::int64_t()> utc_ns =
        {};  ///< now, since 1970; empty: the host's clock
  };

  /// @throws std::runtime_error  a file is there and cannot be read
  explicit RigDiaryFile(Settings settings);

  void keep(const AuditEntry& act) override;
  void begin_motion() override;
  std::vector<AuditEntry> acts() const override;
  void hand_over() override;
  std::optional<site_node::RigZero> zero() const override { return zero_; }
  void keep_zero(const std::string& by, const std::vector<RigReading>& readings) override;

 private:
  std::string now() const;

  Settings settings_;
  std::vector<std::string> lines_;  // of `diary`
  std::optional<site_node::RigZero> zero_;
};

}  // namespace trestle::composition
