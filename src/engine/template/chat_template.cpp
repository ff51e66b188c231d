#include "engine/template/chat_template.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "engine/template/builtin.h"
#include "engine/template/interpreter.h"
#include "engine/template/limits.h"
#include "engine/template/parser.h"
#include "engine/template/render_input.h"
#include "engine/template/text_operations.h"
#include "engine/template/turns.h"
#include "platform/base/assert.h"

namespace stint::chat_template {

struct ChatTemplate::Program {
  std::shared_ptr<const Syntax> syntax;
  ContentForm content_form = ContentForm::string;
  std::unique_ptr<const ChatTemplate> fallback;
  std::string warning;
};

namespace {

// Bytes of values made per byte of input: contents are copied a few times by trim, replace and concatenation.
constexpr std::uint64_t kMadePerInput = 8;

Rendered to_rendered(TextBuilder builder) {
  const std::string bytes = builder.take_bytes();
  Rendered rendered;
  std::size_t offset = 0;
  for (const Run& run : builder.take_runs()) {
    rendered.segments.push_back({bytes.substr(offset, run.end - offset), run.trusted});
    offset = run.end;
  }
  return rendered;
}

// Cuts everything behind the last place where `content` stands, so that the model goes on writing it.
bool cut_behind(TextBuilder& builder, const std::string& content) {
  Text text;
  const std::string bytes = builder.take_bytes();
  text.bytes = bytes;
  text.runs = builder.take_runs();
  Text wanted;
  wanted.bytes = content;
  wanted = strip(wanted, nullptr, true, true);
  const std::size_t found = text.bytes.rfind(wanted.bytes);
  if (found == std::string_view::npos || wanted.size() == 0) return false;
  builder.append(slice(text, 0, found + wanted.size()));
  return true;
}

Result<Rendered> render_syntax(const Syntax& syntax, ContentForm content_form, const RenderInput& input) {
  try {
    Arena arena(kMadeSizeMax + kMadePerInput * input_size(input));
    Interpreter interpreter(arena, input.unix_seconds);
    set_variables(input, content_form, arena, interpreter);
    TextBuilder out = interpreter.run(syntax.body);
    if (input.continue_final_message && !cut_behind(out, input.messages.back().content)) {
      return fail(ErrorKind::invalid_request,
                  "The chat template leaves out the last message, which was to be continued.");
    }
    return to_rendered(std::move(out));
  } catch (const TemplateError& error) {
    return fail(ErrorKind::invalid_request,
                fmt::format("The chat template cannot render these messages: {}.", error.what()));
  }
}

RenderInput probe(std::string_view bos_token, std::string_view eos_token) {
  RenderInput input;
  input.messages.push_back({.role = "user", .content = "probe"});
  input.bos_token = bos_token;
  input.eos_token = eos_token;
  return input;
}

bool shows_probe(const Result<Rendered>& rendered) {
  return rendered && std::ranges::any_of(rendered->segments, [](const Segment& segment) {
           return !segment.trusted && segment.text.find("probe") != std::string::npos;
         });
}

}  // namespace

std::string Rendered::text() const {
  std::string joined;
  for (const Segment& segment : segments) joined += segment.text;
  return joined;
}

ChatTemplate::ChatTemplate(std::unique_ptr<const Program> program) : program_(std::move(program)) {}
ChatTemplate::~ChatTemplate() = default;
ChatTemplate::ChatTemplate(ChatTemplate&&) noexcept = default;
ChatTemplate& ChatTemplate::operator=(ChatTemplate&&) noexcept = default;

const std::string& ChatTemplate::warning() const {
  return program_->warning;
}

Result<ChatTemplate> ChatTemplate::parse(std::string_view source) {
  if (source.size() > kTemplateSizeMax) {
    return fail(ErrorKind::too_large, fmt::format("The chat template has {} bytes, more than the limit of {}.",
                                                  source.size(), kTemplateSizeMax));
  }
  try {
    auto program = std::make_unique<Program>();
    program->syntax = parse_template(source);
    return ChatTemplate(std::move(program));
  } catch (const TemplateError& error) {
    return fail(ErrorKind::unsupported, fmt::format("The chat template cannot be used: {}.", error.what()));
  }
}

ChatTemplate ChatTemplate::builtin(BuiltinForm form) {
  auto parsed = parse(builtin_source(form));
  STINT_ASSERT(parsed);
  return std::move(*parsed);
}

ChatTemplate ChatTemplate::choose(std::string_view source, std::string_view bos_token, std::string_view eos_token,
                                  const std::function<bool(std::string_view)>& has_token) {
  const BuiltinForm form = builtin_for(has_token);
  const auto replaced = [&](const std::string& why) {
    ChatTemplate chosen = builtin(form);
    auto program = std::make_unique<Program>(Program{chosen.program_->syntax, ContentForm::string, nullptr, {}});
    program->warning = fmt::format("{} The built-in {} form is used in its place.", why, builtin_name(form));
    return ChatTemplate(std::move(program));
  };
  if (source.empty()) return replaced("The model brings no chat template.");
  auto parsed = parse(source);
  if (!parsed) return replaced(parsed.error().message);
  const RenderInput input = probe(bos_token, eos_token);
  for (const ContentForm content_form : {ContentForm::string, ContentForm::parts}) {
    if (!shows_probe(render_syntax(*parsed->program_->syntax, content_form, input))) continue;
    auto program = std::make_unique<Program>();
    program->syntax = parsed->program_->syntax;
    program->content_form = content_form;
    program->fallback = std::make_unique<const ChatTemplate>(builtin(form));
    return ChatTemplate(std::move(program));
  }
  const auto failed = parsed->render_exactly(input);
  return replaced(failed ? "The chat template leaves out what the user says." : failed.error().message);
}

Result<Rendered> ChatTemplate::render_exactly(const RenderInput& input) const {
  if (input.messages.empty()) return fail(ErrorKind::invalid_request, "There are no messages to render.", "messages");
  return render_syntax(*program_->syntax, program_->content_form, input);
}

Result<Rendered> ChatTemplate::render(const RenderInput& input) const {
  auto rendered = render_exactly(input);
  if (rendered || input.messages.empty()) return rendered;
  RenderInput changed = input;
  changed.messages = merge_neighbours(input.messages);
  if (auto merged = render_exactly(changed)) return merged;
  changed.messages = fold_system(std::move(changed.messages));
  if (auto folded = render_exactly(changed)) return folded;
  if (!program_->fallback) return rendered;
  if (auto fallback = program_->fallback->render_exactly(input)) return fallback;
  return rendered;
}

}  // namespace stint::chat_template
