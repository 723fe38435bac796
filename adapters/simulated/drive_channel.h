#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <string>
#include <vector>

namespace trestle {

/// How simulated sites that share a specimen tell each other their drives: datagrams over
/// Unix sockets in one folder, whether the sites live in one process or in several.
///
/// One socket per port, which its site owns. Nothing here allocates but open().
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

  /// Opens a new socket and discards all messages in transit.
  /// @throws std::runtime_error if the socket cannot be made
  void open();

  /// Tells the others what this site's ports do from tick `tick` on.
  void tell(std::int64_t tick, const Eigen::VectorXd& drive) noexcept;

  /// Fills the others' drives of this tick. Waits up to 0.2 s for each site that answered
  /// in the previous tick. A site that missed one tick is not waited for again: its last
  /// drive applies.
  void hear(std::int64_t tick, Eigen::VectorXd& drive) noexcept;

 private:
  struct DriveMessage {
    std::int64_t port = 0;
    std::int64_t tick = 0;
    double drive = 0.0;
  };
  struct Peer {
    std::string path;
    bool here = true;          ///< it kept up so far
    std::int64_t newest = -1;  ///< tick of its last message
    static constexpr std::size_t kKept = 64;
    double drives[kKept] = {};  ///< a ring by tick
  };

  bool listen(int patience_ms) noexcept;
  void close() noexcept;

  std::string folder_;
  std::vector<Eigen::Index> own_;
  std::vector<Peer> peers_;  // of all ports; own ones receive no message
  int socket_ = -1;
};

}  // namespace trestle
