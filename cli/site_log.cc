#include "cli/site_log.h"

#include <spdlog/logger.h>
#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/basic_file_sink.h>
#include <spdlog/sinks/stdout_sinks.h>

#include <stdexcept>

namespace trestle {
namespace {

std::unique_ptr<spdlog::logger> make_logger(const std::string& folder) {
  const std::string path = folder + "/site.log";
  try {
    const spdlog::sinks_init_list sinks{
        std::make_shared<spdlog::sinks::stderr_sink_mt>(),
        std::make_shared<spdlog::sinks::basic_file_sink_mt>(path)};
    auto logger = std::make_unique<spdlog::logger>("site", sinks);
    logger->set_formatter(std::make_unique<spdlog::pattern_formatter>(
        "%Y-%m-%dT%H:%M:%S.%eZ  %v", spdlog::pattern_time_type::utc));
    logger->flush_on(spdlog::level::info);
    return logger;
  } catch (const spdlog::spdlog_ex&) {
    throw std::runtime_error(path +
                             ": cannot be written; choose another folder with --out");
  }
}

}  // namespace

SiteLog::SiteLog(const std::string& folder) : logger_(make_logger(folder)) {}

SiteLog::~SiteLog() = default;

void SiteLog::say(const std::string& line) {
  logger_->info("{}", line);
}

void SiteLog::warn(const std::string& line) {
  logger_->warn("{}", line);
}

}  // namespace trestle
