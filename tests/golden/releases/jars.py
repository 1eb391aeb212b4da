"""Bring the published jars of every release to a folder: `jars.py JARS [pop] [RELEASE...]`.

JARS/RELEASE/lib holds the client with everything it needs, and broker, store and name server with what it takes to load
their classes; with `pop`, JARS/RELEASE/whole holds the broker with everything it needs. Needs Maven. Of some releases a
server's jar was never published: the audit takes those to be like the release before.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from simulator.releases.ledger import RELEASES

BROKER = "broker"
SERVERS = (BROKER, "store", "namesrv", "filter", "srvutil", "controller")
POP_RELEASES = ("5.0.0", "5.1.4", "5.2.0", "5.3.0", "5.3.3", "5.4.0", "5.5.0")  # those that tests/golden/pop has
DLEDGER = ("io.openmessaging.storage", "dledger", "0.3.1.2")  # BrokerController of 5.x does not load without
GUAVA = ("com.google.guava", "guava", "19.0")  # SqlFilter of 4.x does not load without; the client of 5.x brings one
POM = '<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>{}</project>'
ALONE = "<exclusions><exclusion><groupId>*</groupId><artifactId>*</artifactId></exclusion></exclusions>"


def _dependency(group: str, artifact: str, version: str, more: str = "") -> str:
    text = f"<groupId>{group}</groupId><artifactId>{artifact}</artifactId><version>{version}</version>{more}"
    return f"<dependency>{text}</dependency>"


def _pom(release: str, artifact: str) -> str:
    alone = ALONE if artifact in SERVERS else ""
    needs = _dependency(
        "org.apache.rocketmq", f"rocketmq-{BROKER if artifact == 'whole' else artifact}", release, alone
    )
    if artifact == BROKER:
        needs += _dependency(*DLEDGER, ALONE)
    if artifact == "filter" and release.startswith("4."):
        needs += _dependency(*GUAVA, ALONE)
    own = f"<groupId>audit</groupId><artifactId>audit-{artifact}-{release}</artifactId><version>1</version>"
    return POM.format(f"{own}<packaging>pom</packaging><dependencies>{needs}</dependencies>")


def main(jars: Path, releases: Sequence[str], whole: bool) -> None:
    """Fetch what is published, in one run of Maven; what is not is named by it and left out."""
    modules = []
    for release in releases:
        for artifact in ("whole",) if whole else ("client", *SERVERS):
            folder = jars / release / (f"{artifact}-pom" if whole else artifact)
            folder.mkdir(parents=True, exist_ok=True)
            (folder / "pom.xml").write_text(_pom(release, artifact))
            modules.append(f"<module>{release}/{folder.name}</module>")
    own = "<groupId>audit</groupId><artifactId>audit</artifactId><version>1</version><packaging>pom</packaging>"
    (jars / "pom.xml").write_text(POM.format(f"{own}<modules>{''.join(modules)}</modules>"))
    folder = "-DoutputDirectory=${project.basedir}/../" + ("whole" if whole else "lib")
    subprocess.run(["mvn", "-q", "-B", "-fae", "dependency:copy-dependencies", folder], cwd=jars, check=False)


if __name__ == "__main__":
    is_whole = sys.argv[2:3] == ["pop"]
    main(Path(sys.argv[1]), sys.argv[3 if is_whole else 2 :] or (POP_RELEASES if is_whole else RELEASES), is_whole)
