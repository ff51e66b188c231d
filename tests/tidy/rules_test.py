"""Each rule fires on what it forbids and stays silent on its allowed neighbour."""

import pytest

from tests.tidy import banned, documents, files, layers, names, sizes
from tests.tidy.tree import Source, Tree

HEAD = "// Thing: does something.\n// Thread-safe. Owns nothing.\n#pragma once\n"


def found(rule, files_by_path):
    return [(v.path, v.line) for v in rule(Tree(files_by_path))]


def test_layers_forbid_an_arrow_that_points_up():
    tree = {"src/chat/a.h": '#include "serve/b.h"\n', "src/serve/b.h": ""}
    assert found(layers.layers, tree) == [("src/chat/a.h", 1)]
    assert not found(layers.layers, {"src/serve/b.h": '#include "chat/a.h"\n', "src/chat/a.h": ""})


def test_layers_know_single_headers_and_exceptions():
    tree = {"src/platform/net/task.h": "", "src/platform/net/server.h": "",
            "src/chat/ports.h": '#include "platform/net/task.h"\n#include "platform/net/server.h"\n',
            "src/chat/event.h": '#include "platform/net/task.h"\n'}
    assert found(layers.layers, tree) == [("src/chat/event.h", 1), ("src/chat/ports.h", 2)]


def test_layers_keep_app_for_main_and_cli():
    tree = {"src/app/server.h": "", "src/cli/serve.cpp": '#include "app/server.h"\n',
            "src/serve/a.cpp": '#include "app/server.h"\n'}
    assert found(layers.layers, tree) == [("src/serve/a.cpp", 1)]


def test_layers_report_unknown_folders_and_headers():
    assert found(layers.layers, {"src/attic/a.cpp": ""}) == [("src/attic/a.cpp", 1)]
    assert found(layers.layers, {"src/chat/a.cpp": '\n#include "no/such.h"\n'}) == [("src/chat/a.cpp", 2)]


@pytest.mark.parametrize("header, home, stranger", [
    ("simdjson.h", "platform/json/read.cpp", "serve/api/a.cpp"),
    ("yaml-cpp/yaml.h", "platform/config/yaml.cpp", "app/a.cpp"),
    ("utf8proc.h", "tokenizer/nfc.cpp", "serve/a.cpp"),
    ("openssl/ssl.h", "platform/net/tls.cpp", "platform/crypto/a.cpp"),
    ("openssl/hmac.h", "platform/crypto/hmac.cpp", "stages/cache/key.cpp"),
    ("spdlog/spdlog.h", "platform/observe/log.cpp", "platform/observe/log.h"),
    ("immintrin.h", "engine/kernels/avx2.cpp", "engine/model/a.cpp"),
])
def test_third_party_headers_have_one_home(header, home, stranger):
    assert not found(layers.third_party, {f"src/{home}": f"#include <{header}>\n"})
    assert found(layers.third_party, {f"src/{stranger}": f"#include <{header}>\n"}) == [(f"src/{stranger}", 1)]


def test_file_lines_has_a_lower_cap_for_headers():
    assert not found(sizes.file_lines, {"src/a.cpp": "x\n" * 600, "src/a.h": "x\n" * 200})
    assert len(found(sizes.file_lines, {"src/a.cpp": "x\n" * 601, "src/a.h": "x\n" * 201})) == 2


def test_line_columns():
    assert found(sizes.line_columns, {"src/a.cpp": "x" * 120 + "\n" + "x" * 121 + "\n"}) == [("src/a.cpp", 2)]


def test_functions_are_found_whatever_surrounds_them():
    text = """namespace a {
struct S final : public B {
  S(int x) : x_{x}, y_(2) {
    run();
  }
  int f() const noexcept { return [] { return 1; }(); }
  int x_ = 0;
};
const int table[] = {1, 2};
template <typename T>
auto g(T value) -> std::vector<T> {
  if (value) {
    return {};
  }
}
TEST(Thing, shows) {
}
}  // namespace a
"""
    names_found = [(name, first, last) for name, first, last in sizes.functions(Source("a.cpp", text))]
    assert names_found == [("S", 3, 5), ("f", 6, 6), ("g", 10, 15), ("TEST", 16, 17)]


def test_function_lines():
    body = "void f() {\n" + "  g();\n" * 58 + "}\n"
    assert not found(sizes.function_lines, {"src/a.cpp": body})
    assert found(sizes.function_lines, {"src/a.cpp": "\n" + body.replace("}", "  g();\n}")}) == [("src/a.cpp", 2)]
    assert found(sizes.function_lines, {"a.py": "def f():\n" + "    g()\n" * 60}) == [("a.py", 1)]


@pytest.mark.parametrize("line", [
    "std::regex r;", "auto s = std::format(x);", "std::println(x);", "return r.and_then(f);", "thread.detach();",
    "std::this_thread::sleep_for(1s);", "std::atomic<std::shared_ptr<A>> a;", "int r = rand();",
    "auto t = std::chrono::steady_clock::now();", "throw Error();", "int i = std::stoi(s);", "assert(x);",
    'std::printf(x);', "std::cout << x;", "auto e = getenv(n);", "auto* a = new Thing;", "delete thing;", "free(p);",
    "out << std::endl;", "using namespace std;", "std::async(f);",
    "#include <boost/asio.hpp>", "#include <nlohmann/json.hpp>",
])
def test_banned_in_src(line):
    assert found(banned.banned_calls, {"src/serve/a.cpp": f"\n{line}\n"}) == [("src/serve/a.cpp", 2)]
    assert not found(banned.banned_calls, {"src/serve/a.cpp": f"\n// {line}\n"})


@pytest.mark.parametrize("line", [
    "std::this_thread::sleep_for(1s);", "GTEST_SKIP();", "TEST(A, DISABLED_b) {", "EXPECT_TRUE(true);",
])
def test_banned_in_tests(line):
    assert found(banned.banned_calls, {"tests/a_test.cpp": line}) == [("tests/a_test.cpp", 1)]


@pytest.mark.parametrize("path, line", [
    ("src/cli/chat.cpp", "fmt::print(x);"), ("src/platform/base/clock.cpp", "return steady_clock::now();"),
    ("src/serve/a.cpp", "A(const A&) = delete;"), ("src/app/a.cpp", "getenv(n);"),
    ("src/serve/a.cpp", "auto a = std::unique_ptr<A>(new A(b));"), ("src/serve/a.cpp", "void operand(int);"),
    ("src/serve/a.cpp", "snprintf_like(x); static_assert(true);"),
])
def test_allowed_neighbours_of_what_is_banned(path, line):
    assert not found(banned.banned_calls, {path: line})


def test_using_namespace_in_a_header():
    assert found(banned.using_in_header, {"src/a.h": "\nusing namespace fmt;\n"}) == [("src/a.h", 2)]
    assert not found(banned.using_in_header, {"src/a.cpp": "using namespace fmt;\n"})


@pytest.mark.parametrize("path", ["src/serve/utils.h", "src/common/a.h", "tests/helpers/b.cpp", "src/cache/lib.cpp"])
def test_forbidden_paths(path):
    assert found(names.forbidden_paths, {path: ""}) == [(path, 1)]
    assert not found(names.forbidden_paths, {"src/librarian/calibrate.h": ""})


def test_forbidden_types():
    assert found(names.forbidden_types, {"src/a.h": "\nclass CacheManager {\n"}) == [("src/a.h", 2)]
    assert not found(names.forbidden_types, {"src/a.h": "class PagePool {\n"})


def test_unfinished_notes():
    note = "TO" + "DO"
    assert found(names.unfinished, {"src/a.cpp": f"int a;  // {note}: later\n", "dev": f"# {note}\n"}) == [
        ("dev", 1), ("src/a.cpp", 1)]
    assert not found(names.unfinished, {"src/a.cpp": f'auto a = "{note}";\n'})


def test_history_in_comments():
    assert found(names.history, {"src/a.cpp": "// The list used to be sorted.\n"}) == [("src/a.cpp", 1)]


def test_pragma_once():
    assert found(files.pragma_once, {"src/a.h": "// #pragma once\n"}) == [("src/a.h", 1)]
    assert not found(files.pragma_once, {"src/a.h": HEAD})


def test_head_comment():
    assert found(files.head_comment, {"src/a.h": "#pragma once\n", "src/b.h": "// x\n" * 9}) == [
        ("src/a.h", 1), ("src/b.h", 1)]
    assert not found(files.head_comment, {"src/a.h": "// Small: one line will do.\n#pragma once\n"})
    assert not found(files.head_comment, {"src/a.h": HEAD.replace("#", "//\n// An example.\n" + "// x\n" * 9 + "#")})
    assert not found(files.head_comment, {"src/a.h": HEAD})


def test_mirrored_tests():
    assert found(files.mirrored_tests, {"src/chat/a.cpp": ""}) == [("src/chat/a.cpp", 1)]
    assert not found(files.mirrored_tests, {"src/chat/a.cpp": "", "tests/chat/a_test.cpp": ""})
    part = {"src/chat/a.cpp": "", "tests/chat/whole_test.cpp": '#include "chat/a.h"\n'}
    assert not found(files.mirrored_tests, part)
    assert found(files.mirrored_tests, {"src/chat/a.cpp": "", "tests/serve/b_test.cpp": '#include "chat/a.h"\n'})


def test_exceptions_must_name_existing_files():
    count = len(files.UNTESTED) + 2 * len(files.TESTED_BY) + len(sizes.GENERATED)
    assert len(list(files.stale_exceptions(Tree({})))) == count


def test_dead_headers():
    assert found(files.dead_headers, {"src/chat/a.h": HEAD}) == [("src/chat/a.h", 1)]
    assert not found(files.dead_headers, {"src/chat/a.h": HEAD, "src/chat/a.cpp": '#include "chat/a.h"\n'})


def test_required_documents():
    assert ("LICENSE", 1) in found(documents.required_documents, {"README.md": "# A\n"})


def test_rooms_are_described():
    tree = {"ARCHITECTURE.md": "# A\n| `chat` | words |\n", "src/chat/a.h": "", "src/serve/b.h": ""}
    assert found(documents.rooms_are_described, tree) == [("ARCHITECTURE.md", 1)]


def test_one_title():
    assert not found(documents.one_title, {"a.md": "# A\n\n```\n# not a title\n```\n"})
    assert found(documents.one_title, {"a.md": "# A\n\n# B\n", "b.md": "text\n"}) == [("a.md", 3), ("b.md", 1)]


def test_links():
    tree = {"a.md": "# A\n[b](docs/b.md#some-title) [c](docs) [web](https://example.com) [x](no.md)\n"
                    "[y](docs/b.md#no)\n",
            "docs/b.md": "# B\n## Some title\n[back](../a.md)\n"}
    assert found(documents.links_resolve, tree) == [("a.md", 2), ("a.md", 3)]


def test_machine_traces():
    tree = {"a.md": "see /ro" + "ot/x and\npypi" + ".org\n", "b.sh": "cd $HOME/work/x ./work/y src/root/z\n"}
    assert found(documents.no_machine_traces, tree) == [("a.md", 1), ("a.md", 2)]
