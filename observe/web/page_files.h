#pragma once

#include <span>
#include <string_view>

namespace trestle::web {

/// A file of the page, as it was when the program was built.
struct PageFile {
  std::string_view name;  ///< "index.html"
  std::string_view type;  ///< for Content-Type
  std::string_view bytes;
};

/// All files of observe/page/.
std::span<const PageFile> page_files() noexcept;

}  // namespace trestle::web
