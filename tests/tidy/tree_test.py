"""The repository keeps every rule of the house: one test a rule."""

import pytest

from tests.tidy import rules
from tests.tidy.tree import Source, Tree


@pytest.fixture(scope="module")
def repository():
    return Tree.of_repository()


@pytest.mark.parametrize("rule", rules.ALL, ids=lambda rule: rule.__name__)
def test_the_repository_keeps(rule, repository):
    violations = rule(repository)
    assert not violations, "\n" + "\n".join(map(str, sorted(violations)))


def test_every_rule_says_what_it_wants():
    assert all(rule.__doc__ for rule in rules.ALL)


def test_code_hides_comments_strings_and_raw_strings_but_keeps_line_numbers():
    source = Source("a.cpp", 'int a; // throw\nauto b = "throw \\" throw";\nauto c = R"x(throw\n)" throw)x"; int d;\n')
    assert "throw" not in source.code
    assert source.code.count("\n") == source.text.count("\n")
    assert "int d;" in source.code


def test_a_digit_separator_opens_no_character():
    assert Source("a.cpp", "int a = 100'000; int b = 1; char c = 'x';").code.count("int") == 2


def test_comments_are_what_code_is_not():
    source = Source("a.cpp", 'call("TODO"); // TODO later\n/* two\nlines */\n')
    assert source.comments.count("TODO") == 1 and "lines" in source.comments and "call" not in source.comments


def test_includes_know_their_line_and_kind():
    source = Source("a.cpp", '#include <vector>\n// #include "b.h"\n#include "c/d.h"\n')
    assert source.includes == [(1, "vector", False), (3, "c/d.h", True)]
