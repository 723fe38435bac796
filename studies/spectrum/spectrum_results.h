#pragma once

#include <string>
#include <vector>

#include "observe/export/number_table.h"
#include "studies/spectrum/response_spectrum.h"

namespace trestle::spectrum {

/// The spectra of one record, one per damping ratio.
struct RecordSpectra {
  std::string name;  ///< of the file, without folder and extension
  std::string file;
  double peak_acceleration = 0.0;  ///< of the ground [m/s²]
  double duration = 0.0;           ///< [s]
  std::vector<ResponseSpectrum> spectra;
};

/// Reads a record and computes its spectra.
/// @param unit, scale  as in read_ground_motion()
/// @throws SettingError  as read_ground_motion() does
RecordSpectra spectra_of(const std::string& file, double unit, double scale,
                         const std::vector<double>& periods,
                         const std::vector<double>& dampings);

/// `period_s`, then per record and damping `<record>.damping_<ratio>.sd_m`, `.psv_m_s` and
/// `.psa_m_s2`. @pre all have the same periods
exports::NumberTable spectrum_table(const std::vector<RecordSpectra>& records);

/// PSa, PSv and Sd over the period, one line per record and damping, as SVG.
std::string spectrum_svg(const std::vector<RecordSpectra>& records);

/// Per record its peaks, and a few periods as a table.
std::string spectrum_text(const std::vector<RecordSpectra>& records);
std::string spectrum_json(const std::vector<RecordSpectra>& records);

}  // namespace trestle::spectrum
