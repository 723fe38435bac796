#pragma once

#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "core/journal/journal_file.h"
#include "core/types/record_names.h"
#include "tests/core/journal/temporary_folder.h"

namespace trestle::testing {

inline std::string file_text(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// The folder of a short run, made up.
class RunFolder {
 public:
  explicit RunFolder(const std::string& session = "aa") {
    journal::JournalFile journal(file("journal.db"));
    journal.set_meta(meta_key::kSession, session);
    journal.set_meta(meta_key::kTest, "two-site frame");
    journal.set_meta(meta_key::kNode, kIntegratorNode);
    journal.set_meta(meta_key::kTimeStep, "0.0009765625");  // 1/1024 s
    const int result = journal.add_stream(
        stream_name::kResult,
        {{"west.floor_w.rz.target_rad", "rad"}, {"roof_w.x.disp_m", "m"}});
    add_row(journal, result, -1, {9.0, 9.0});
    add_row(journal, result, 0, {0.0, -0.0});
    add_row(journal, result, 1, {0.1, 1.0 / 3.0});
    add_row(journal, result, 2, {1e-300, -2.5e17});
    journal.add_event(
        {TimePoint(std::chrono::seconds(2)), "west", "fault", "rate 401 mm/s"});
    journal.finish();
  }

  std::string path() const { return folder_.path(); }
  std::string file(const std::string& name) const { return folder_.file(name); }

  /// Another number or text of the integrator's journal.
  void set_meta(const std::string& key, const std::string& value) const {
    journal::JournalFile(file("journal.db")).set_meta(key, value);
  }

  /// Puts a site with real equipment of one actuator and one calibrated channel into the
  /// record.
  void calibrate(const std::string& serial = "4711") const {
    set_meta(meta_key::kSites, "west");
    set_meta(std::string(meta_key::kContractOf) + "west",
             "site.real_equipment: yes\nactuators[0].name: 1\n"
             "site_states.specimen.id: C-07\nsite_states.specimen.cast: 2026-08-04\n"
             "site_states.calibration.1.force.sensor: LC-250, old\n"
             "site_states.calibration.1.force.serial: " +
                 serial + "\nsite_states.calibration.1.force.due: 2001-01-01\n");
  }

  /// Puts a site with real equipment, one actuator and one load cell into the record, which
  /// states no calibration.
  void state_no_calibration() const {
    set_meta(meta_key::kSites, "west");
    set_meta(std::string(meta_key::kContractOf) + "west",
             "site.real_equipment: yes\ninterface[0].role: controlled\n"
             "interface[1].role: force-only\nactuators[0].name: 1\n");
  }

  /// A person's note on step 1, with a file.
  void note() const {
    journal::JournalFile journal(file("journal.db"));
    journal::AuditRecord record{
        1,
        1'795'499'727'306'812'458,
        {"bob@west", "operator channel", "noted",
         "step 1, 0.0009765625 s: crack at the weld [file 1f2e-crack.jpg, SHA-256 " +
             std::string(64, 'a') + "]"},
        {}};
    record.digest = journal::audit_digest("", record);
    journal.add_audit(record);
  }

  /// `<folder>/<name>.db` with one tick channel, and the given ticks with values tick +
  /// 0.5.
  static void add_site(const std::string& folder, const std::string& site,
                       const std::vector<std::int64_t>& ticks,
                       const std::string& session = "aa",
                       const std::string& tick_s = "0.5") {
    journal::JournalFile journal(folder + "/" + site + ".db");
    journal.set_meta(meta_key::kSession, session);
    journal.set_meta(meta_key::kNode, site);
    journal.set_meta(meta_key::kTick, tick_s);
    const int stream =
        journal.add_stream(stream_name::kTick, {{site + ".1.target_m", "m"}});
    for (const std::int64_t tick : ticks)
      add_row(journal, stream, tick, {static_cast<double>(tick) + 0.5});
    journal.finish();
  }

 private:
  static void add_row(journal::JournalFile& journal, int stream, std::int64_t index,
                      const std::vector<double>& values) {
    journal.append(stream, RecordRow{index, values});
  }

  TemporaryFolder folder_;
};

}  // namespace trestle::testing
