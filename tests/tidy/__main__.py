"""Lists every violation in the working tree: `python3 -m tests.tidy [--figures]`. Exit code 1 if there is one."""

import sys

from tests.tidy import rules, sizes, tree


def main():
    current = tree.Tree.of_repository()
    violations = sorted({violation for rule in rules.ALL for violation in rule(current)})
    for violation in violations:
        print(violation)
    if "--figures" in sys.argv:
        print("\n".join(sizes.figures(current)))
    print(f"{len(violations)} violations of {len(rules.ALL)} rules in {len(current.sources)} files")
    return 1 if violations else 0


if __name__ == "__main__":
    sys.exit(main())
