#include "ways_in.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <stdexcept>

#include "udp_frame.h"

namespace equipment {
namespace {

constexpr std::uint32_t kMostBehind = 16;  // frames; further off another process counts

int listener_at(const std::string& path, int kind) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof address.sun_path)
    throw std::runtime_error(path + " is too long");
  std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
  unlink(path.c_str());
  const int file = socket(AF_UNIX, kind | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (file < 0 ||
      bind(file, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 ||
      listen(file, 8) != 0) {
    throw std::runtime_error("cannot listen at " + path + ": " + std::strerror(errno));
  }
  return file;
}

}  // namespace

UdpWay::UdpWay(std::uint16_t port)
    : socket_(socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK, 0)) {
  sockaddr_in here{};
  here.sin_family = AF_INET;
  here.sin_port = htons(port);
  here.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof here;
  if (bind(socket_, reinterpret_cast<const sockaddr*>(&here), size) != 0 ||
      getsockname(socket_, reinterpret_cast<sockaddr*>(&here), &size) != 0) {
    throw std::runtime_error(std::string("cannot open the UDP port: ") +
                             std::strerror(errno));
  }
  port_ = ntohs(here.sin_port);
}

UdpWay::~UdpWay() {
  close(socket_);
}

void UdpWay::serve(Controller& controller, const WireFaults& faults, RigLog& log) {
  std::uint8_t bytes[512];
  for (int i = 0; i < 1000; ++i) {
    sockaddr_in from{};
    socklen_t size = sizeof from;
    const ssize_t got = recvfrom(socket_, bytes, sizeof bytes, 0,
                                 reinterpret_cast<sockaddr*>(&from), &size);
    if (got < 0) return;
    if (faults.deaf) continue;
    OrderFrame frame;
    if (!read_order(bytes, static_cast<std::size_t>(got), controller.actuators(), frame)) {
      log.say("strange bytes=%zd", got);
      continue;
    }
    // A datagram may be overtaken by one that was sent after it.
    const std::uint32_t behind = newest_ - static_cast<std::uint32_t>(frame.sequence);
    if (behind != 0 && behind < kMostBehind) {
      log.say("overtaken via=udp seq=%llu drive=%.9g",
              static_cast<unsigned long long>(frame.sequence), frame.drive[0]);
      continue;
    }
    newest_ = static_cast<std::uint32_t>(frame.sequence);
    controller.take("udp", frame.sequence, static_cast<Order>(frame.command), frame.drive);
    if (faults.mute) continue;
    ReportFrame answer;
    answer.sequence = ++sequence_;
    answer.echo = frame.sequence;
    answer.status = static_cast<std::uint8_t>(controller.status());
    for (std::size_t k = 0; k < controller.actuators(); ++k) {
      answer.displacement[k] = controller.rams[k].displacement();
      answer.force[k] = controller.rams[k].force();
      answer.drive[k] = controller.drive(k);
    }
    const std::vector<std::uint8_t> out = report_bytes(answer, controller.actuators());
    sendto(socket_, out.data(), out.size(), MSG_DONTWAIT,
           reinterpret_cast<const sockaddr*>(&from), size);
  }
}

PlugInWay::PlugInWay(std::string path)
    : path_(std::move(path)), listener_(listener_at(path_, SOCK_SEQPACKET)) {
  const std::string page = path_ + ".page";
  const int file = open(page.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (file < 0 || ftruncate(file, sizeof(equipment_page)) != 0)
    throw std::runtime_error("cannot write " + page);
  void* const mapped =
      mmap(nullptr, sizeof(equipment_page), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  if (mapped == MAP_FAILED) throw std::runtime_error("cannot map " + page);
  page_ = static_cast<equipment_page*>(mapped);
  *page_ = {EQUIPMENT_REPORT_MAGIC, 0, 0, 0};
}

PlugInWay::~PlugInWay() {
  if (client_ >= 0) close(client_);
  close(listener_);
  munmap(page_, sizeof(equipment_page));
}

/// Nobody is heard any more who could keep an output closed.
void PlugInWay::drop(Contacts& contacts, RigLog& log) {
  if (client_ < 0) return;
  close(client_);
  client_ = -1;
  contacts.take_outputs(0);
  log.say("left via=plugin");
}

void PlugInWay::serve(Controller& controller, Contacts& contacts, const WireFaults& faults,
                      RigLog& log) {
  // The messages of the present client are read before the next client is accepted.
  equipment_order order;
  for (int i = 0; client_ >= 0 && i < 1000; ++i) {
    const ssize_t got = recv(client_, &order, sizeof order, MSG_DONTWAIT);
    if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) break;
    if (got <= 0) {
      drop(contacts, log);
      break;
    }
    if (faults.deaf) continue;
    if (got != static_cast<ssize_t>(sizeof order) || order.magic != EQUIPMENT_ORDER_MAGIC ||
        order.kind > EQUIPMENT_OUTPUTS) {
      log.say("strange bytes=%zd", got);
      continue;
    }
    heard_ = order.sequence;
    if (order.kind == EQUIPMENT_OUTPUTS) {
      contacts.take_outputs(order.count);
      continue;
    }
    if (order.kind == EQUIPMENT_FOLLOW && order.epoch < epoch_) {
      log.say("overtaken via=plugin seq=%llu drive=%.9g",
              static_cast<unsigned long long>(order.sequence), order.drive[0]);
      continue;
    }
    epoch_ = std::max(epoch_, order.epoch);
    controller.take("plugin", order.sequence, static_cast<Order>(order.kind), order.drive);
  }
  for (;;) {
    const int next = accept4(listener_, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (next < 0) return;
    // `adapter check` and the like come beside the one who drives: the newest one counts.
    drop(contacts, log);
    client_ = next;
    epoch_ = 0;
    heard_ = 0;
    log.say("came via=plugin");
  }
}

void PlugInWay::report(const Controller& controller, const Contacts& contacts,
                       const WireFaults& faults, std::int64_t measured_ns) {
  if (client_ < 0 || faults.mute) return;
  equipment_report out{};
  out.magic = EQUIPMENT_REPORT_MAGIC;
  out.status = controller.status();
  out.sequence = ++sequence_;
  out.echo = heard_;
  out.host_ns = measured_ns;
  for (std::size_t i = 0; i < controller.actuators(); ++i) {
    out.displacement[i] = controller.rams[i].displacement();
    out.force[i] = controller.rams[i].force();
    out.drive[i] = controller.drive(i);
  }
  out.known = contacts.known();
  out.closed = contacts.closed();
  send(client_, &out, sizeof out, MSG_DONTWAIT | MSG_NOSIGNAL);
}

ControlWay::ControlWay(const std::string& path)
    : listener_(listener_at(path, SOCK_SEQPACKET)) {}

ControlWay::~ControlWay() {
  for (const int client : clients_) close(client);
  close(listener_);
}

void ControlWay::accept_new() {
  for (;;) {
    const int next = accept4(listener_, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (next < 0) return;
    clients_.push_back(next);
  }
}

bool ControlWay::line_of(int client, std::string& line) {
  char text[512];
  const ssize_t got = recv(client, text, sizeof text, MSG_DONTWAIT);
  if (got < 0) {
    line.clear();
    return errno == EAGAIN || errno == EWOULDBLOCK;
  }
  line.assign(text, static_cast<std::size_t>(got));
  return got > 0;
}

void ControlWay::close_of(int client) {
  close(client);
  clients_.erase(std::find(clients_.begin(), clients_.end(), client));
}

}  // namespace equipment
