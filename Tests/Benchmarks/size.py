#!/usr/bin/env python3
"""Sums the sizes of what is installed: the executables of Services and Shared/Extensions, the dynamic libraries that are
loaded into programs, and the apps' resources, as the build leaves them (not stripped). Swift's own libraries and Debian's
are not in it.
"""
import argparse, json, os, subprocess
from figures import Figures

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

def installed():
    """The file names, from the package itself, so that none is forgotten."""
    out = subprocess.run(["swift", "package", "--ignore-lock", "describe", "--type", "json"], cwd=ROOT, check=True,
                         stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
    package = json.loads(out)
    executables = [one["name"] for one in package["targets"]
                   if one["type"] == "executable" and one["path"].startswith(("Services/", "Shared/Extensions/"))]
    libraries = [f"lib{one['name']}.so" for one in package["products"] if one["type"] == {"library": ["dynamic"]}]
    resources = [f"{package['name']}_{one['name']}.resources" for one in package["targets"]
                 if one["name"] in executables and one.get("resources")]
    return sorted(executables + libraries + resources)

def size_mb(path):
    files = [path] if os.path.isfile(path) else [f"{place}/{name}" for place, _, names in os.walk(path) for name in names]
    return sum(map(os.path.getsize, files)) / 1e6

def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--products", required=True)
    parser.add_argument("--figures")
    options = parser.parse_args()
    sizes = {name: size_mb(f"{options.products}/{name}") for name in installed()}
    largest = sorted(sizes, key=sizes.get, reverse=True)[:5]
    Figures(options.figures).add("installed size", "MB", sum(sizes.values()))
    print("Installed size\n\n| files | together | the largest |\n|---|---|---|")
    print(f"| {len(sizes)} | {sum(sizes.values()):.1f} MB | " + ", ".join(f"{name} {sizes[name]:.1f}" for name in largest) + " |", flush=True)

if __name__ == "__main__":
    main()
