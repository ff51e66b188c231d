"""How long things may be. A screen holds a function, a sitting holds a file."""

import ast
import re

from tests.tidy.tree import Violation

FILE_LINES_MAX = 600
HEADER_LINES_MAX = 200
FUNCTION_LINES_MAX = 60
LINE_COLUMNS_MAX = 120
# Goals, reported by `python3 -m tests.tidy --figures`; only the caps above are rules.
FILE_LINES_GOAL = {"p50": 120, "p90": 350}
FUNCTION_LINES_GOAL = {"p90": 30}

# Data and generated tables: path -> why it may be as long as it is.
GENERATED = {
    "tests/flow/node/package-lock.json": "written by npm",
    "src/tokenizer/unicode_tables.cpp": "written by generate_unicode_tables.py",
}

_PROGRAM_SUFFIXES = (".cpp", ".h", ".py", ".sh", ".mjs", ".cmake")


def is_generated(path):
    return path in GENERATED


def is_program(path):
    return path.endswith(_PROGRAM_SUFFIXES) or path in ("dev", ".ci/run", "CMakeLists.txt", "src/CMakeLists.txt")


def file_lines(tree):
    """Files and headers stay under their caps."""
    violations = []
    for source in tree.sources.values():
        if not is_program(source.path) or is_generated(source.path):
            continue
        limit = HEADER_LINES_MAX if source.path.endswith(".h") and source.path.startswith("src/") else FILE_LINES_MAX
        if len(source.lines) > limit:
            violations.append(Violation(source.path, limit + 1, "file-lines", f"{len(source.lines)} lines, at most "
                                        f"{limit}: split it by meaning, one idea a file"))
    return violations


def line_columns(tree):
    """No line is wider than a reader's window; a link or a table row of a document may be."""
    violations = []
    for source in tree.sources.values():
        if not is_program(source.path) or is_generated(source.path):
            continue
        for number, line in enumerate(source.lines, 1):
            if len(line) > LINE_COLUMNS_MAX:
                violations.append(Violation(source.path, number, "line-columns", f"{len(line)} columns, at most "
                                            f"{LINE_COLUMNS_MAX}: break the line"))
    return violations


_TYPE = re.compile(r"\b(class|struct|union|enum)\b[^()=]*$")
_NAMESPACE = re.compile(r"(\bnamespace\b[^()]*|\bextern\s*)$")
_FUNCTION = re.compile(r"\)[^()]*(\([^()]*\)[^()]*)*$|\boperator\b|\)\s*:.*$", re.DOTALL)


def _scope_kind(head, outer):
    """What an opening brace opens, from the text since the last statement and the scope it stands in."""
    if outer in ("function", "block"):
        return "block"
    if _NAMESPACE.search(head):
        return "namespace"
    if _TYPE.search(head):
        return "type"
    if "(" in head and not re.search(r"=\s*$", head) and _FUNCTION.search(head):
        return "function"
    return "block"


def functions(source):
    """[(name, first line, last line)] of the functions of a C++ file; a lambda belongs to the function around it."""
    text = re.sub(r"^[ \t]*#(?:[^\n\\]|\\.|\\\n)*", lambda match: re.sub(r"[^\n]", " ", match.group()), source.code,
                  flags=re.MULTILINE)
    found, stack, head_start = [], [], 0
    for match in re.finditer(r"[{};]", text):
        at, character = match.start(), match.group()
        if character == "{":
            head = text[head_start:at]
            kind = _scope_kind(head, stack[-1][0] if stack else "namespace")
            # A braced member initialiser belongs to the head of the constructor that follows it.
            if kind == "function" and re.search(r"[:,]\s*\w+\s*$", head) and ")" in head:
                kind = "initialiser"
            stack.append((kind, head_start, head))
            if kind != "initialiser":
                head_start = at + 1
        elif character == "}":
            kind, start, head = stack.pop() if stack else ("block", 0, "")
            if kind == "function":
                named = re.search(r"([~\w:]+)\s*\(", head)
                first = start + len(text[start:]) - len(text[start:].lstrip())
                found.append((named[1] if named else "operator", text.count("\n", 0, first) + 1,
                              text.count("\n", 0, at) + 1))
            if kind != "initialiser":
                head_start = at + 1
        else:
            head_start = at + 1
    return found


def python_functions(source):
    """[(name, first line, last line)] of the functions of a Python file."""
    return [(node.name, node.lineno, node.end_lineno) for node in ast.walk(ast.parse(source.text))
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))]


def function_lines(tree):
    """A function fits on one screen."""
    violations = []
    for source in tree.sources.values():
        if is_generated(source.path):
            continue
        found = functions(source) if source.is_cpp else python_functions(source) if source.path.endswith(".py") else []
        for name, first, last in found:
            if last - first + 1 > FUNCTION_LINES_MAX:
                violations.append(Violation(source.path, first, "function-lines", f"{name} has {last - first + 1} "
                                            f"lines, at most {FUNCTION_LINES_MAX}: name its parts as functions"))
    return violations


def figures(tree):
    """p50, p90 and maximum of the lines of files and functions under src, beside the goals."""
    def line(what, values, goal):
        values = sorted(values) or [0]
        at = {"p50": values[len(values) // 2], "p90": values[min(len(values) - 1, len(values) * 9 // 10)]}
        goals = ", ".join(f"{name} <= {limit}" for name, limit in goal.items())
        return f"{what}: {len(values)}, p50 {at['p50']} p90 {at['p90']} max {values[-1]} lines (goal: {goals})"

    sources = [source for source in tree.cpp("src/") if not is_generated(source.path)]
    lengths = [last - first + 1 for source in sources for _, first, last in functions(source)]
    return [line("files", [len(source.lines) for source in sources], FILE_LINES_GOAL),
            line("functions", lengths, FUNCTION_LINES_GOAL)]


RULES = [file_lines, line_columns, function_lines]
