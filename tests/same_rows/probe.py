"""`python -m tests.same_rows.probe FOLDER NAME...`: what the tree that it runs in gives, as digests or with all rows.

It runs in the folder of a tree and prints each name that is done. FOLDER/NAME.json has the digests; with --rows
FOLDER/NAME/N.arrow has the rows of the table whose number N is in the list FOLDER/NAME/tables.json.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import pyarrow as pa

from tests.same_rows.column_digests import digest_of
from tests.same_rows.gallery import tables_of


def keep_digests(folder: Path, name: str) -> None:
    """Write the digests of a scenario or an experiment of this tree."""
    file = folder / f"{name}.json"
    file.parent.mkdir(parents=True, exist_ok=True)
    unfinished = file.with_suffix(".part")
    unfinished.write_text(json.dumps({table: digest_of(rows) for table, rows in tables_of(Path(), name).items()}))
    unfinished.replace(file)


def keep_rows(folder: Path, name: str) -> None:
    """Write the rows of every table of a scenario or an experiment of this tree."""
    tables, own = tables_of(Path(), name), folder / name
    own.mkdir(parents=True, exist_ok=True)
    (own / "tables.json").write_text(json.dumps(list(tables)))
    for number, rows in enumerate(tables.values()):
        with pa.ipc.new_file(own / f"{number}.arrow", rows.schema) as writer:
            writer.write_table(rows.unify_dictionaries())


def kept_rows(folder: Path, name: str) -> dict[str, pa.Table]:
    """The rows that `keep_rows` wrote, by table."""
    own = folder / name
    tables = json.loads((own / "tables.json").read_text())
    return {table: pa.ipc.open_file(own / f"{number}.arrow").read_all() for number, table in enumerate(tables)}


def main() -> None:
    """Keep what was asked for."""
    parser = argparse.ArgumentParser(prog="python -m tests.same_rows.probe", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("names", nargs="+", metavar="NAME")
    parser.add_argument("--rows", action="store_true", help="keep all rows instead of digests")
    asked = parser.parse_args()
    for name in asked.names:
        (keep_rows if asked.rows else keep_digests)(asked.folder, name)
        print(name, flush=True)


if __name__ == "__main__":
    main()
