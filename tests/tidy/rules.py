"""All rules, in the order they are reported."""

from tests.tidy import banned, documents, files, layers, names, sizes

ALL = [*layers.RULES, *sizes.RULES, *banned.RULES, *names.RULES, *files.RULES, *documents.RULES]
