#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace trestle::simulated {

class DriveFile;

/// How simulated sites that share a specimen tell each other their drives: one mapped file
/// per port in one folder, whether the sites live in one process or in several.
///
/// A site locks the files of the ports that it drives, so that no other test drives the
/// same specimen. Nothing here allocates but open().
class DriveChannel {
 public:
  /// @param folder  the same for all; made where it is not there
  /// @param ports   names of all ports of the specimen
  /// @param own     indices of those that this site drives
  DriveChannel(std::string folder, const std::vector<std::string>& ports,
               std::vector<Eigen::Index> own);
  ~DriveChannel();
  DriveChannel(const DriveChannel&) = delete;
  DriveChannel& operator=(const DriveChannel&) = delete;

  /// Begins again: all that this site has told is forgotten. Waits up to 0.2 s for a site
  /// that opens at the same time.
  /// @throws std::runtime_error  a file cannot be made, or another test uses it
  void open();

  /// Tells the others what this site's ports do from tick `tick` on. @pre open()
  void tell(std::int64_t tick, const Eigen::VectorXd& drive) noexcept;

  /// Fills the others' drives of this tick. Waits for those that kept up so far, up to a
  /// fifth of a second, and not again for one that stayed away: its last drive holds.
  /// @pre open()
  void hear(std::int64_t tick, Eigen::VectorXd& drive) noexcept;

 private:
  struct Port {
    bool own = false;
    bool here = true;  ///< it kept up so far
    std::unique_ptr<DriveFile> file;
  };

  std::string folder_;
  std::vector<std::string> names_;
  std::vector<Port> ports_;
};

}  // namespace trestle::simulated
