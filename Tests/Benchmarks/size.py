#!/usr/bin/env python3
"""Sums the sizes of what scripts/install.sh installs. Swift's own libraries and Debian's are not in it, nor what
`screentime extension` compiles with, which is linked from the build.
"""
import argparse, os
from figures import Figures

def size_mb(path):
    files = [path] if os.path.isfile(path) else [f"{place}/{name}" for place, _, names in os.walk(path) for name in names]
    return sum(map(os.path.getsize, files)) / 1e6

def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--products", required=True)
    parser.add_argument("--figures")
    options = parser.parse_args()
    folder = os.path.dirname(os.path.realpath(f"{options.products}/screentime"))
    sizes = {one.name: size_mb(one.path) for one in os.scandir(folder) if not one.is_symlink()}
    largest = sorted(sizes, key=sizes.get, reverse=True)[:5]
    Figures(options.figures).add("installed size", "MB", sum(sizes.values()), aim=110)
    print("Installed size\n\n| files | together | the largest |\n|---|---|---|")
    print(f"| {len(sizes)} | {sum(sizes.values()):.1f} MB | " + ", ".join(f"{name} {sizes[name]:.1f}" for name in largest) + " |", flush=True)

if __name__ == "__main__":
    main()
