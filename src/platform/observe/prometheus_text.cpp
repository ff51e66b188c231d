#include "platform/observe/prometheus_text.h"

#include <fmt/format.h>

#include <cmath>

#include "platform/base/utf8.h"

namespace stint::observe {

namespace {

// HELP texts escape backslash and line feed; label values the double quote too.
std::string escaped(std::string_view text, bool escapes_quote) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const std::size_t size = base::utf8_sequence_size(text);
    if (size == 0) {
      out += "\xEF\xBF\xBD";  // U+FFFD: one stray byte would make the whole page unreadable to Prometheus
      text.remove_prefix(1);
      continue;
    }
    const char c = text[0];
    if (c == '\\') {
      out += "\\\\";
    } else if (c == '\n') {
      out += "\\n";
    } else if (c == '"' && escapes_quote) {
      out += "\\\"";
    } else {
      out += text.substr(0, size);
    }
    text.remove_prefix(size);
  }
  return out;
}

std::string number(double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "+Inf" : "-Inf";
  return fmt::format("{}", value);
}

std::string_view type_name(MetricKind kind) {
  switch (kind) {
    case MetricKind::counter:
      return "counter";
    case MetricKind::gauge:
      return "gauge";
    case MetricKind::histogram:
      return "histogram";
  }
  return "untyped";
}

// `a="x",b="y"` without braces, so that `le` can follow; empty without labels.
std::string label_list(const FamilySnapshot& family, const Sample& sample) {
  std::string out;
  for (std::size_t i = 0; i < family.label_names.size(); ++i) {
    out += fmt::format("{}{}=\"{}\"", i == 0 ? "" : ",", family.label_names[i], escaped(sample.label_values[i], true));
  }
  return out;
}

void append_histogram(std::string& out, const FamilySnapshot& family, const Sample& sample) {
  const std::string labels = label_list(family, sample);
  const std::string_view comma = labels.empty() ? "" : ",";
  std::uint64_t count = 0;
  for (std::size_t i = 0; i < sample.bucket_counts.size(); ++i) {
    count += sample.bucket_counts[i];
    const std::string bound = i < family.bounds.size() ? number(family.bounds[i]) : "+Inf";
    out += fmt::format("{}_bucket{{{}{}le=\"{}\"}} {}\n", family.name, labels, comma, bound, count);
  }
  const std::string braced = labels.empty() ? "" : "{" + labels + "}";
  out += fmt::format("{}_sum{} {}\n", family.name, braced, number(sample.sum));
  out += fmt::format("{}_count{} {}\n", family.name, braced, count);
}

}  // namespace

std::string prometheus_text(std::span<const FamilySnapshot> families) {
  std::string out;
  for (const FamilySnapshot& family : families) {
    out += fmt::format("# HELP {} {}\n", family.name, escaped(family.help, false));
    out += fmt::format("# TYPE {} {}\n", family.name, type_name(family.kind));
    for (const Sample& sample : family.samples) {
      if (family.kind == MetricKind::histogram) {
        append_histogram(out, family, sample);
        continue;
      }
      const std::string labels = label_list(family, sample);
      const std::string braced = labels.empty() ? "" : "{" + labels + "}";
      out += fmt::format("{}{} {}\n", family.name, braced, number(sample.value));
    }
  }
  return out;
}

}  // namespace stint::observe
