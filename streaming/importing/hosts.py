"""Which broker an address is: the hosts map of a user."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import yaml

from streaming.errors import InputError
from streaming.texts.import_texts import ImportTexts
from streaming.texts.output_texts import OutputTexts


def read_hosts(path: Path) -> dict[str, str]:
    """Address (`10.0.0.1:10911`, or the host alone) to broker name. Raises InputError."""
    try:
        said = yaml.safe_load(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(OutputTexts.UNREADABLE(why=error).at(path)) from error
    except yaml.YAMLError as error:
        raise InputError(ImportTexts.NOT_YAML(why=str(error).splitlines()[0]).at(path)) from error
    if not isinstance(said, dict) or not all(isinstance(one, str) for pair in said.items() for one in pair):
        raise InputError(ImportTexts.HOSTS_EXPECTED().at(path))
    return said


def broker_of(address: str, hosts: Mapping[str, str]) -> str:
    """The broker at an address; one that is in no map is named after its address."""
    return hosts.get(address) or hosts.get(address.rpartition(":")[0]) or address
