"""Reads the contract's document: where the services are, what they answer, and what a message looks like.

Nothing here knows a name, a number or a shape that is not in the document.
"""

import json
import re


class Refused(Exception):
    """A typed refusal: `name` is stable, `remedy` says what to do."""

    def __init__(self, error):
        super().__init__(f"{error['message']} {error['data']['remedy']}")
        self.name = error["data"]["name"]


class Mismatch(Exception):
    """A message that is not as the document says."""


class Contract:
    def __init__(self, path, runtime_directory):
        with open(path, encoding="utf-8") as file:
            self.document = json.load(file)
        self.runtime_directory = runtime_directory
        self.limits = self.document["x-limits"]
        self.sync_prefix = self.document["x-zeromq"]["sync_topic_prefix"]
        self.options = self.document["x-zeromq"]["options"]
        self._codes = {error["name"]: error["code"] for error in self.document["x-errors"]}

    @property
    def services(self):
        return list(self.document["x-services"])

    def endpoint(self, service, door):
        endpoint = self.document["servers"][f"{service}-{door}"]["x-endpoint"]
        return endpoint.replace("{runtime_directory}", self.runtime_directory)

    def operation(self, method, service=None):
        """The operation of a method; `service` for methods that every service answers."""
        for operation in self.document["operations"].values():
            if operation.get("x-method") == method and service in (None, operation["x-service"]):
                return operation
        raise Mismatch(f"the document has no method {method}")

    def owner(self, event_type):
        return self.document["operations"][event_type]["x-service"]

    def check_request(self, operation, request):
        self.check_message(operation["messages"][0], request)

    def check_answer(self, operation, answer):
        self.check_message(operation["reply"]["messages"][0], answer)
        if "error" in answer and self._codes[answer["error"]["data"]["name"]] != answer["error"]["code"]:
            raise Mismatch(f"the code of {answer['error']} is another one in the document")

    def check_event(self, event):
        self.check_message(self.document["operations"][event["type"]]["messages"][0], event)

    def check_head(self, head):
        self.check_message(self.document["operations"]["sync"]["messages"][0], head)

    # JSON Schema, as far as the document uses it.

    def check_message(self, message, value):
        self._check(self._resolved(message)["payload"], value, "message")

    def _resolved(self, node):
        while "$ref" in node:
            place = self.document
            for part in node["$ref"].removeprefix("#/").split("/"):
                place = place[part]
            node = place
        return node

    def _check(self, schema, value, where):
        if "$ref" in schema:
            self._check(self._resolved(schema), value, where)
        for part in schema.get("allOf", []):
            self._check(part, value, where)
        for key, least, most in (("anyOf", 1, None), ("oneOf", 1, 1)):
            if key in schema:
                fitting = sum(self._fits(part, value) for part in schema[key])
                if fitting < least or (most and fitting > most):
                    raise Mismatch(f"{where}: {fitting} of {key} fit")
        if "const" in schema and value != schema["const"]:
            raise Mismatch(f"{where}: {value!r} is not {schema['const']!r}")
        if "enum" in schema and value not in schema["enum"]:
            raise Mismatch(f"{where}: {value!r} is none of {schema['enum']}")
        if "pattern" in schema and not re.search(schema["pattern"], value):
            raise Mismatch(f"{where}: {value!r} does not match {schema['pattern']}")
        if "type" in schema:
            self._check_type(schema["type"], value, where)
        if isinstance(value, dict):
            self._check_members(schema, value, where)
        if isinstance(value, list) and "items" in schema:
            for index, element in enumerate(value):
                self._check(schema["items"], element, f"{where}[{index}]")

    def _fits(self, schema, value):
        try:
            self._check(schema, value, "")
        except Mismatch:
            return False
        return True

    TYPES = {
        "object": dict, "array": list, "string": str, "integer": int, "number": (int, float),
        "boolean": bool, "null": type(None),
    }

    def _check_type(self, names, value, where):
        names = [names] if isinstance(names, str) else names
        for name in names:
            if isinstance(value, self.TYPES[name]) and (name == "boolean" or not isinstance(value, bool)):
                return
        raise Mismatch(f"{where}: {value!r} is no {' or '.join(names)}")

    def _check_members(self, schema, value, where):
        for name in schema.get("required", []):
            if name not in value:
                raise Mismatch(f"{where}: {name} is missing")
        properties = schema.get("properties", {})
        for name, member in value.items():
            if name in properties:
                self._check(properties[name], member, f"{where}.{name}")
            elif isinstance(schema.get("additionalProperties"), dict):
                self._check(schema["additionalProperties"], member, f"{where}.{name}")
