#!/usr/bin/env python3
"""Compares our chat template interpreter with Jinja2 set up as Hugging Face does.

    chat_templates.py RENDER_TEMPLATE FOLDER   every *.jinja of FOLDER over a set of conversations
    chat_templates.py RENDER_TEMPLATE --goldens FILE   checks FILE's cases and writes what Jinja2 gives back into it

RENDER_TEMPLATE is the built driver of that name. Needs jinja2.
"""
import datetime
import glob
import json
import os
import subprocess
import sys

import jinja2
import jinja2.ext
import jinja2.sandbox

NOW = datetime.datetime(2024, 7, 26, 0, 0, 0)


class Generation(jinja2.ext.Extension):
    tags = {"generation"}

    def parse(self, parser):
        line = next(parser.stream).lineno
        body = parser.parse_statements(["name:endgeneration"], drop_needle=True)
        return jinja2.nodes.Scope(body, lineno=line)


def environment():
    env = jinja2.sandbox.ImmutableSandboxedEnvironment(
        trim_blocks=True, lstrip_blocks=True, extensions=[Generation, jinja2.ext.loopcontrols])

    def tojson(value, ensure_ascii=False, indent=None, separators=None, sort_keys=False):
        return json.dumps(value, ensure_ascii=ensure_ascii, indent=indent, separators=separators, sort_keys=sort_keys)

    def raise_exception(message):
        raise jinja2.exceptions.TemplateError(message)

    env.filters["tojson"] = tojson
    env.globals["raise_exception"] = raise_exception
    env.globals["strftime_now"] = NOW.strftime
    return env


def reference(source, context):
    try:
        return {"text": environment().from_string(source).render(**json.loads(context))}
    except Exception as error:  # any failure counts as one
        return {"error": f"{type(error).__name__}: {error}"}


class Driver:
    def __init__(self, path):
        self.process = subprocess.Popen([path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def render(self, source, context):
        self.process.stdin.write(json.dumps({"source": source, "context": context}) + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())


TOOLS = [{"type": "function", "function": {
    "name": "get_weather", "description": "Weather of a town \"now\" <&>",
    "parameters": {"type": "object", "properties": {
        "town": {"type": "string", "description": "Its name"},
        "unit": {"type": "string", "enum": ["C", "F"], "default": "C"},
        "days": {"type": ["integer", "null"]},
        "tags": {"type": "array", "items": {"type": "string"}}},
        "required": ["town"]}}}]


def conversations():
    user = {"role": "user", "content": "Hello, wörld 👋 — how's it going?"}
    system = {"role": "system", "content": "You are terse.\n  Be kind."}
    answer = {"role": "assistant", "content": "  Fine.\n"}
    thinking = {"role": "assistant", "content": "<think>\nHm, 1 < 2.\n</think>\n\nFine."}
    reasoned = {"role": "assistant", "content": "Fine.", "reasoning_content": "Hm."}
    call = {"role": "assistant", "content": "", "tool_calls": [{"id": "call12345", "type": "function", "function": {
        "name": "get_weather", "arguments": {"town": "Bern", "days": 2, "x": 1.5, "deep": {"a": [True, None]}}}}]}
    result = {"role": "tool", "content": "12 degrees", "tool_call_id": "call12345", "name": "get_weather"}
    plain = [[user], [system, user], [user, answer, user], [system, user, answer, user], [user, thinking, user],
             [user, reasoned, user], [user, answer]]
    out = []
    for messages in plain:
        for prompt in (True, False):
            out.append({"messages": messages, "add_generation_prompt": prompt})
    out.append({"messages": [user], "add_generation_prompt": True, "enable_thinking": False})
    out.append({"messages": [user], "add_generation_prompt": True, "tools": TOOLS})
    out.append({"messages": [system, user, call, result], "add_generation_prompt": True, "tools": TOOLS})
    out.append({"messages": [user, call, result, answer, user], "add_generation_prompt": True, "tools": TOOLS})
    parts = {"role": "user", "content": [{"type": "text", "text": "Hi"}, {"type": "text", "text": " there"}]}
    out.append({"messages": [parts], "add_generation_prompt": True})
    for context in out:
        context.setdefault("tools", None)
        context.setdefault("documents", None)
        context["bos_token"] = "<s>"
        context["eos_token"] = "</s>"
    return out


def compare_folder(driver, folder):
    total = same = both_fail = 0
    for path in sorted(glob.glob(os.path.join(folder, "*.jinja"))):
        source = open(path, encoding="utf-8").read()
        differing = []
        for index, context in enumerate(conversations()):
            text = json.dumps(context)
            expected, got = reference(source, text), driver.render(source, text)
            total += 1
            if "error" in expected and "error" in got:
                both_fail += 1
            elif expected == got:
                same += 1
            else:
                differing.append((index, expected, got))
        if differing:
            index, expected, got = differing[0]
            print(f"{os.path.basename(path)}: {len(differing)} differ, first case {index}")
            print("   jinja2:", show(expected, got))
            print("   ours:  ", show(got, expected))
    print(f"{total} renders: {same} equal, {both_fail} refused by both, {total - same - both_fail} differ")
    return total == same + both_fail


def show(answer, other):
    if "error" in answer:
        return "error " + answer["error"][:200]
    a, b = answer["text"], other.get("text", "")
    at = next((i for i, (x, y) in enumerate(zip(a, b)) if x != y), min(len(a), len(b)))
    return f"at {at}: {a[max(0, at - 40):at + 60]!r}"


def compare_goldens(driver, path):
    cases = [json.loads(line) for line in open(path, encoding="utf-8") if line.strip()]
    differing = 0
    with open(path, "w", encoding="utf-8") as out:
        for case in cases:
            context = json.dumps(case["context"], ensure_ascii=False)
            expected, got = reference(case["source"], context), driver.render(case["source"], context)
            case.pop("text", None)
            case.pop("fails", None)
            case.update({"fails": True} if "error" in expected else {"text": expected["text"]})
            if ("error" in expected) != ("error" in got) or expected.get("text") != got.get("text"):
                differing += 1
                print(case["source"], "\n   jinja2:", expected, "\n   ours:  ", got)
            out.write(json.dumps(case, ensure_ascii=False) + "\n")
    print(f"{len(cases)} goldens, {differing} differ")
    return differing == 0


def main():
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    driver = Driver(sys.argv[1])
    if sys.argv[2] == "--goldens":
        sys.exit(0 if compare_goldens(driver, sys.argv[3]) else 1)
    sys.exit(0 if compare_folder(driver, sys.argv[2]) else 1)


if __name__ == "__main__":
    main()
