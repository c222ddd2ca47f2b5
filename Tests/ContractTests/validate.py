"""Checks the contract's documents with a validator that is not ours.

usage: validate.py CONTRACT_DIRECTORY SAMPLES_DIRECTORY
Every schema has to compile as JSON Schema 2020-12 and accept the sample of its name, and refuse it when a
required member is taken away. Every reference of asyncapi.json has to lead somewhere.
"""

import json
import pathlib
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


def check_document(document):
    assert document["asyncapi"] == "3.0.0"
    for reference in references(document):
        resolve(document, reference)
    for name, schema in document["components"]["schemas"].items():
        Draft202012Validator.check_schema(schema)
        assert schema["title"] == name, name
    for name, operation in document["operations"].items():
        channel = operation["channel"]["$ref"] + "/messages/"
        used = operation["messages"] + operation.get("reply", {}).get("messages", [])
        assert used and all(message["$ref"].startswith(channel) for message in used), name


def required(schema):
    names = set(schema.get("required", []))
    for part in schema.get("allOf", []):
        if "$ref" in part:
            names |= set(schema["$defs"][part["$ref"].removeprefix("#/$defs/")].get("required", []))
    return names


def check_message(schema_path, sample_path):
    schema = json.loads(schema_path.read_text())
    sample = json.loads(sample_path.read_text())
    Draft202012Validator.check_schema(schema)
    validator = Draft202012Validator(schema)
    validator.validate(sample)
    for name in required(schema):
        less = {key: value for key, value in sample.items() if key != name}
        assert not validator.is_valid(less), f"{schema_path.name} is valid without {name}"


def main():
    contract, samples = map(pathlib.Path, sys.argv[1:3])
    check_document(json.loads((contract / "asyncapi.json").read_text()))
    schemas = sorted((contract / "schemas").iterdir())
    for path in schemas:
        check_message(path, samples / path.name)
    assert len(schemas) == len(list(samples.iterdir()))
    print(len(schemas), "schemas, all valid")


main()
