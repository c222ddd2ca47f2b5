"""Prints imports of this package's modules that Package.swift does not declare, as FILE:LINE: SENTENCE.

Standard input: `swift package describe --type json`. The compiler's own check of explicit dependencies accepts what a
declared dependency brings along, and refuses the overlay `os`, which imports the C module of its name.
"""

import json
import pathlib
import re
import sys

IMPORT = re.compile(
    r"^(?:@\w+(?:\([^)]*\))?\s+)*(?:(?:package|public|internal|private|fileprivate)\s+)?import\s+"
    r"(?:(?:struct|class|enum|func|typealias|protocol|let|var)\s+)?(\w+)"
)


def main():
    targets = json.load(sys.stdin)["targets"]
    names = {target["c99name"]: target["name"] for target in targets}
    for target in targets:
        allowed = {target["name"], *target.get("target_dependencies", [])}
        for source in target["sources"]:
            path = pathlib.Path(target["path"], source)
            if path.suffix != ".swift":
                continue
            for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
                found = IMPORT.match(line)
                name = names.get(found[1]) if found else None
                if name and name not in allowed:
                    print(f"{path}:{number}: {target['name']} does not declare {name} in Package.swift")


main()
