#include "serve/api/models_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>

#include "platform/json/writer.h"
#include "serve/api/percent.h"

namespace stint::api {
namespace {

using chat::DialectId;
using Models = std::span<const ModelInfo>;

// RFC 3339, UTC.
std::string timestamp(std::int64_t unix_s) {
  const std::chrono::sys_seconds time{std::chrono::seconds(unix_s)};
  const auto day = std::chrono::floor<std::chrono::days>(time);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss clock(time - day);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()), clock.hours().count(),
                     clock.minutes().count(), clock.seconds().count());
}

void write_count_or_null(json::Writer& writer, const std::optional<std::uint64_t>& count) {
  if (count) {
    writer.integer(*count);
  } else {
    writer.null();
  }
}

void write_anthropic_model(json::Writer& writer, const ModelInfo& model) {
  writer.begin_object().member("type", "model").member("id", model.id).member("display_name", model.display_name);
  writer.member("created_at", timestamp(model.created_unix_s)).key("max_input_tokens");
  write_count_or_null(writer, model.max_input_tokens);
  writer.key("max_tokens");
  write_count_or_null(writer, model.max_output_tokens);
  writer.key("capabilities").null().member("lifecycle", "active").key("deprecated_at").null().key("retires_at").null();
  writer.end_object();
}

void write_openai_model(json::Writer& writer, const ModelInfo& model) {
  writer.begin_object().member("id", model.id).member("object", "model").key("created").integer(model.created_unix_s);
  writer.member("owned_by", model.owned_by).end_object();
}

struct Page {
  Models models;
  bool has_more = false;
};

Result<std::uint64_t> page_size(std::string_view query) {
  const auto text = query_value(query, "limit");
  if (!text) return kModelPageSizeDefault;
  std::uint64_t size = 0;
  const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), size);
  if (error != std::errc() || end != text->data() + text->size() || size < 1 || size > kModelPageSizeMax) {
    return fail(ErrorKind::invalid_request, fmt::format("limit: must be an integer from 1 to {}.", kModelPageSizeMax),
                "limit");
  }
  return size;
}

// A cursor that names no model leads to an empty page, which ends any client's paging.
Result<Page> choose_page(Models models, std::string_view query) {
  const auto size = page_size(query);
  if (!size) return std::unexpected(size.error());
  if (const auto after = query_value(query, "after_id")) {
    const auto found = std::ranges::find(models, *after, &ModelInfo::id);
    models =
        models.subspan(found == models.end() ? models.size() : static_cast<std::size_t>(found - models.begin()) + 1);
  }
  if (const auto before = query_value(query, "before_id")) {
    const auto found = std::ranges::find(models, *before, &ModelInfo::id);
    models = models.first(found == models.end() ? 0 : static_cast<std::size_t>(found - models.begin()));
    return Page{models.last(std::min<std::size_t>(models.size(), *size)), models.size() > *size};
  }
  return Page{models.first(std::min<std::size_t>(models.size(), *size)), models.size() > *size};
}

void write_id_or_null(json::Writer& writer, const ModelInfo* model) {
  if (model == nullptr) {
    writer.null();
  } else {
    writer.string(model->id);
  }
}

}  // namespace

Result<std::string> encode_models(Models models, std::string_view query, DialectId dialect) {
  std::string body;
  json::Writer writer(body);
  if (dialect != DialectId::anthropic) {
    writer.begin_object().member("object", "list").key("data").begin_array();
    for (const ModelInfo& model : models) write_openai_model(writer, model);
    writer.end_array().end_object();
    return body;
  }
  const auto page = choose_page(models, query);
  if (!page) return std::unexpected(page.error());
  writer.begin_object().key("data").begin_array();
  for (const ModelInfo& model : page->models) write_anthropic_model(writer, model);
  writer.end_array().key("has_more").boolean(page->has_more).key("first_id");
  write_id_or_null(writer, page->models.empty() ? nullptr : &page->models.front());
  writer.key("last_id");
  write_id_or_null(writer, page->models.empty() ? nullptr : &page->models.back());
  writer.end_object();
  return body;
}

std::string encode_model(const ModelInfo& model, DialectId dialect) {
  std::string body;
  json::Writer writer(body);
  if (dialect == DialectId::anthropic) {
    write_anthropic_model(writer, model);
  } else {
    write_openai_model(writer, model);
  }
  return body;
}

}  // namespace stint::api
