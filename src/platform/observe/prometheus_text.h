// The text exposition format 0.0.4 of Prometheus, written from snapshots. Pure; thread-safe.
// https://prometheus.io/docs/instrumenting/exposition_formats/
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "platform/observe/registry.h"

namespace stint::observe {

inline constexpr std::string_view kPrometheusContentType = "text/plain; version=0.0.4; charset=utf-8";

std::string prometheus_text(std::span<const FamilySnapshot> families);

}  // namespace stint::observe
