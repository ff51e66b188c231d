// The version, as CMakeLists.txt states it.
#pragma once

namespace stint::cli {

inline constexpr const char* kVersion = STINT_VERSION;

}  // namespace stint::cli
