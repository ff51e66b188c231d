"""The rules of the house as tests: a rule reads the tree and returns violations; `python3 -m tests.tidy` lists them."""
