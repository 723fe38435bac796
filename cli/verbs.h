#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace trestle {

/// One verb of the program per file. Each returns the exit code (cli/exit_code.h).

struct RunOptions {
  std::string test;                    ///< TEST.yaml
  std::string out;                     ///< folder; empty: runs/<test>-<UTC>
  std::vector<std::string> overrides;  ///< path=value
  std::string as;                      ///< name that the person gave; may be empty
  bool json = false;
  bool resume =
      false;  ///< goes on with a run of this test that was cut off, if there is one
};
int run(const RunOptions& options);

/// Goes on with a run whose process died; writes the summary of one that came to its end
/// without.
/// @param folder      of the run; no process serves it
/// @param as          name that the person gave; may be empty
/// @param unattended  no person asked for it: real equipment waits for one
int resume_run(const std::string& folder, const std::string& as, bool json,
               bool unattended = false);

struct SiteOptions {
  std::string site;  ///< SITE.yaml
  std::string out;   ///< folder; empty: runs/site-<name>
  std::vector<std::string> overrides;
  std::string as;     ///< name that the person gave; may be empty
  bool once = false;  ///< end after one session
};
int site(const SiteOptions& options);

struct CheckOptions {
  std::string test;
  std::vector<std::string> overrides;
  bool json = false;
};
int check(const CheckOptions& options);

struct ExportVerbOptions {
  std::string folder;
  std::string csv;     ///< file; empty: not asked for
  std::string hdf5;    ///< file; empty: not asked for
  std::string mat;     ///< file; empty: not asked for
  std::string ledger;  ///< file; empty: not asked for
  bool ticks = false;
};
int export_record(const ExportVerbOptions& options);

struct CollectOptions {
  std::string folder;
  std::vector<std::string> sites;  ///< folders of site servers; empty: ask over the bus
  double patience = 10.0;          ///< with a site that does not answer [s]
};
int collect_sites(const CollectOptions& options);

struct CampaignOptions {
  std::string study;                   ///< STUDY.yaml
  std::string out;                     ///< folder; empty: runs/campaign-<study>
  std::vector<std::string> overrides;  ///< of the test: path=value
  int jobs = 0;                        ///< threads; 0: as many as there are cores
  int runs = 0;                        ///< 0: the study's
  std::optional<std::int64_t> run;     ///< this one alone, as `trestle run`
  bool json = false;
};
int campaign(const CampaignOptions& options);

struct CompareOptions {
  std::vector<std::string> tests;
  std::vector<std::string> overrides;  ///< of all of them
  std::vector<std::string> results;    ///< patterns
  std::string out;                     ///< file; empty: stdout
  bool markdown = false;
  bool json = false;
  std::string report;  ///< FILE.html; may be empty
};
int compare(const CompareOptions& options);

struct IdentifyOptions {
  std::string study;  ///< STUDY.yaml
  std::string out;    ///< folder; empty: runs/identify-<study>
  std::vector<std::string> overrides;
  bool json = false;
};
int identify(const IdentifyOptions& options);

}  // namespace trestle
