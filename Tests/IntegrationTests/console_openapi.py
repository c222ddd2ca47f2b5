"""Checks the console's OpenAPI document, and real answers against it, with a validator that is not ours.

usage: console_openapi.py OPENAPI ANSWERS
ANSWERS: {"PATH [NUMBER|METHOD]": {"params":…, "status":…, "answer":…}}. Every reference has to lead somewhere, every
schema has to compile as JSON Schema 2020-12, and every answer and its parameters have to be what the document says. An
object with a member more, or without one that is required, has to be told apart.
"""

import json
import sys

from jsonschema import Draft202012Validator


def references(value):
    if isinstance(value, dict):
        if isinstance(value.get("$ref"), str):
            yield value["$ref"]
        for member in value.values():
            yield from references(member)
    elif isinstance(value, list):
        for element in value:
            yield from references(element)


def resolve(document, reference):
    place = document
    for part in reference.removeprefix("#/").split("/"):
        place = place[part.replace("~1", "/").replace("~0", "~")]
    return place


def validator(document, schema):
    return Draft202012Validator({**schema, "components": document["components"]})


def check_document(document):
    assert document["openapi"].startswith("3.1.")
    for reference in references(document):
        resolve(document, reference)
    for name, schema in document["components"]["schemas"].items():
        Draft202012Validator.check_schema(schema)
        assert schema["title"] == name, name
    names = [operation["operationId"] for path in document["paths"].values() for operation in path.values()]
    assert len(names) == len(set(names)), names
    for path in document["paths"].values():
        for operation in path.values():
            assert "default" in operation["responses"] and operation["summary"].endswith("."), operation


def check_answer(document, key, sample):
    path, what = key.rsplit(" ", 1)
    operation = document["paths"][path]["get" if what == "get" else "post"]
    status = str(sample["status"])
    response = operation["responses"].get(status) or operation["responses"]["default"]
    if "$ref" in response:
        response = resolve(document, response["$ref"])
    kind = "application/json" if status == "200" else "application/problem+json"
    schema = response["content"][kind]["schema"]
    validator(document, schema).validate(sample["answer"])
    definition = resolve(document, schema["$ref"])
    for name in definition.get("required", []):
        less = {member: value for member, value in sample["answer"].items() if member != name}
        assert not validator(document, schema).is_valid(less), f"{key} is valid without {name}"
    unknown = set(sample["answer"]) - set(definition["properties"])
    assert not unknown, f"{key} has {unknown}, which the document has not"
    if "params" in sample and status == "200":
        body = operation["requestBody"]["content"]["application/json"]["schema"]
        validator(document, body).validate(sample["params"])
        assert not set(sample["params"]) - set(resolve(document, body["$ref"])["properties"]), key


def main():
    document, answers = (json.load(open(path, encoding="utf-8")) for path in sys.argv[1:3])
    check_document(document)
    for key, sample in answers.items():
        check_answer(document, key, sample)
    print(len(answers), "answers, all as the document says")


main()
