"""Bring the published jars of every release to a folder: `jars.py JARS [RELEASE...]`.

JARS/RELEASE/lib holds the client with everything it needs, and broker, store and name server with what it takes to load
their classes. Needs Maven. Of some releases a server's jar was never published: the audit takes those to be like the
release before.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from simulator.releases.ledger import RELEASES

SERVERS = ("broker", "store", "namesrv", "filter", "srvutil")
DLEDGER = ("io.openmessaging.storage", "dledger", "0.3.1.2")  # BrokerController of 5.x does not load without
POM = '<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>{}</project>'
ALONE = "<exclusions><exclusion><groupId>*</groupId><artifactId>*</artifactId></exclusion></exclusions>"


def _dependency(group: str, artifact: str, version: str, more: str = "") -> str:
    text = f"<groupId>{group}</groupId><artifactId>{artifact}</artifactId><version>{version}</version>{more}"
    return f"<dependency>{text}</dependency>"


def _pom(release: str, artifact: str) -> str:
    alone = ALONE if artifact in SERVERS else ""
    needs = _dependency("org.apache.rocketmq", f"rocketmq-{artifact}", release, alone)
    if artifact == "broker":
        needs += _dependency(*DLEDGER, ALONE)
    own = f"<groupId>audit</groupId><artifactId>audit-{artifact}-{release}</artifactId><version>1</version>"
    return POM.format(f"{own}<packaging>pom</packaging><dependencies>{needs}</dependencies>")


def main(jars: Path, releases: Sequence[str]) -> None:
    """Fetch what is published, in one run of Maven; what is not is named by it and left out."""
    modules = []
    for release in releases:
        for artifact in ("client", *SERVERS):
            folder = jars / release / artifact
            folder.mkdir(parents=True, exist_ok=True)
            (folder / "pom.xml").write_text(_pom(release, artifact))
            modules.append(f"<module>{release}/{artifact}</module>")
    own = "<groupId>audit</groupId><artifactId>audit</artifactId><version>1</version><packaging>pom</packaging>"
    (jars / "pom.xml").write_text(POM.format(f"{own}<modules>{''.join(modules)}</modules>"))
    folder = "-DoutputDirectory=${project.basedir}/../lib"
    subprocess.run(["mvn", "-q", "-B", "-fae", "dependency:copy-dependencies", folder], cwd=jars, check=False)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:] or RELEASES)
