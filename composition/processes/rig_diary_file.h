#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "site-servers/node/rig_diary.h"

namespace trestle::composition {

/// Stores in a rig's place what people did to the rig between two tests (`diary`; after the
/// record of a test has it, in `history`), its zero readings (`zero`) and its tare
/// (`tare`).
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
  /// One sentence for the person at the rig: what of the files cannot be used; empty: all
  /// can. An act says it, too.
  const std::string& notice() const noexcept { return notice_; }
  site_node::RigTare tare() const override { return tare_; }
  void keep_tare(const std::string& by,
                 const std::vector<site_node::TareOffset>& offsets) override;

 private:
  std::string now() const;
  void give_up_zero();

  Settings settings_;
  std::vector<std::string> lines_;  // of `diary`
  std::optional<site_node::RigZero> zero_;
  site_node::RigTare tare_;
  std::string notice_;
};

/// Returns all acts that a rig's place keeps and no record has, oldest first; each text
/// begins with its time. Changes nothing, and needs no lock.
/// @throws std::runtime_error  the file is there and cannot be read
std::vector<AuditEntry> acts_in_diary(const std::string& folder);

}  // namespace trestle::composition
