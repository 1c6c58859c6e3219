#!/usr/bin/env python3
"""Judges broadcast messages by the schema: schema_test.py SCHEMA [PROGRAM ARGUMENT...]

Runs PROGRAM (or reads standard input) and wants every line to fit. Then it damages each message in
turn, member by member, and wants every damage to be noticed, so that a schema which lets everything
pass fails here.
"""
import json
import re
import subprocess
import sys

TYPES = {"object": dict, "array": list, "string": str, "boolean": bool, "null": type(None), "integer": int}
KNOWN = {"$schema", "$defs", "$ref", "title", "description", "type", "required", "properties", "items", "enum", "const",
         "pattern", "minimum", "anyOf", "allOf", "if", "then", "else"}


def is_type(value, name):
    if isinstance(value, bool) and name != "boolean":
        return False
    return isinstance(value, TYPES[name])


def problems(value, schema, root, path="message"):
    """What is wrong with the value, as sentences; only the keywords this schema uses."""
    unknown = set(schema) - KNOWN
    if unknown:
        raise SystemExit("the schema uses %s, which is not judged here" % ", ".join(sorted(unknown)))
    found = []
    if "$ref" in schema:
        name = schema["$ref"].removeprefix("#/$defs/")
        found += problems(value, root["$defs"][name], root, path)
    if "type" in schema and not is_type(value, schema["type"]):
        return found + ["%s is no %s: %r" % (path, schema["type"], value)]
    if "const" in schema and value != schema["const"]:
        found.append("%s is not %r" % (path, schema["const"]))
    if "enum" in schema and not any(type(value) is type(e) and value == e for e in schema["enum"]):
        found.append("%s is none of the names: %r" % (path, value))
    if "pattern" in schema and isinstance(value, str) and not re.search(schema["pattern"], value):
        found.append("%s does not look right: %r" % (path, value))
    if "minimum" in schema and isinstance(value, int) and value < schema["minimum"]:
        found.append("%s is too small: %r" % (path, value))
    if isinstance(value, dict):
        found += ["%s lacks %s" % (path, k) for k in schema.get("required", []) if k not in value]
        for key, sub in schema.get("properties", {}).items():
            if key in value:
                found += problems(value[key], sub, root, path + "." + key)
    if isinstance(value, list) and "items" in schema:
        for i, item in enumerate(value):
            found += problems(item, schema["items"], root, "%s[%d]" % (path, i))
    for sub in schema.get("allOf", []):
        found += problems(value, sub, root, path)
    if "anyOf" in schema and all(problems(value, s, root, path) for s in schema["anyOf"]):
        found.append("%s fits none of the alternatives: %r" % (path, value))
    if "if" in schema:
        branch = "else" if problems(value, schema["if"], root, path) else "then"
        found += problems(value, schema.get(branch, {}), root, path)
    return found


def damages(message):
    """The message without one member, or with one of a type that no member has."""
    for key in message:
        if key == "recovered":              # the one that need not be there
            continue
        yield "without " + key, {k: v for k, v in message.items() if k != key}
    for key in message:
        yield "with a wrong " + key, {**message, key: 1.5}
    for key in set(message.get("evidence", {})) - {"moved"}:
        yield "without evidence." + key, {**message, "evidence": {k: v for k, v in message["evidence"].items() if k != key}}


def main():
    with open(sys.argv[1], encoding="utf-8") as f:
        root = json.load(f)
    if len(sys.argv) > 2:
        text = subprocess.run(sys.argv[2:], stdout=subprocess.PIPE, check=True).stdout.decode("utf-8")
    else:
        text = sys.stdin.buffer.read().decode("utf-8")
    messages = [json.loads(line) for line in text.splitlines()]
    bad = ["line %d: %s" % (i, p) for i, m in enumerate(messages, 1) for p in problems(m, root, root)]
    unseen = set(root["properties"]["type"]["enum"]) - {m.get("type") for m in messages}
    if len(sys.argv) > 2:
        bad += ["no message of type %s was printed" % t for t in sorted(unseen)]
        bad += ["line %d %s is not noticed" % (i, what) for i, m in enumerate(messages, 1)
                for what, damaged in damages(m) if not problems(damaged, root, root)]
    for line in bad[:20]:
        print(line)
    print("%d messages, %d problems" % (len(messages), len(bad)))
    return 1 if bad or not messages else 0


if __name__ == "__main__":
    sys.exit(main())
