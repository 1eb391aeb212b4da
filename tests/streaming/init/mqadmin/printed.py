"""Tables as mqadmin prints them: the formats of its sources, release by release."""

from __future__ import annotations

CLUSTER_4 = "%-16s  %-22s  %-4s  %-22s %-16s %19s %19s %10s %5s %6s"
CLUSTER_5 = "%-22s  %-22s  %-4s  %-22s %-16s  %16s  %30s  %-22s  %11s  %-12s  %-8s  %10s"
PROGRESS_4_2 = "%-32s  %-32s  %-4s  %-20s  %-20s  %-20s %-20s  %s"
GROUPS_4_2 = "%-32s  %-6s  %-24s %-5s  %-14s  %-7s  %s"
STATS_4_9 = "%-64s  %-64s %12s %11s %11s %14s %14s"
COLUMNS_4 = ("#Cluster Name", "#Broker Name", "#BID", "#Addr", "#Version", "#InTPS(LOAD)", "#OutTPS(LOAD)",
             "#PCWait(ms)", "#Hour", "#SPACE")  # fmt: skip
COLUMNS_5 = (*COLUMNS_4[:7], "#Timer(Progress)", *COLUMNS_4[7:], "#ACTIVATED")
PROGRESS_COLUMNS = ("#Topic", "#Broker Name", "#QID", "#Broker Offset", "#Consumer Offset", "#Client IP", "#Diff",
                    "#LastTime")  # fmt: skip
GROUPS_COLUMNS = ("#Group", "#Count", "#Version", "#Type", "#Model", "#TPS", "#Diff Total")
STATS_COLUMNS = ("#Topic", "#Consumer Group", "#Accumulation", "#InTPS", "#OutTPS", "#InMsg24Hour", "#OutMsg24Hour")


def table(form, *rows):
    """Rows in a format, the first one its columns."""
    return "".join((form % row).rstrip() + "\n" for row in rows)


def member(name, broker_id, address, per_s, version="V4_7_1", cluster="DefaultCluster"):
    """A row of clusterList as releases up to 4.9 print it."""
    load = f"{per_s:9.2f}(0,0ms)" if version else f"{0:9.2f}(,ms)"
    return (
        cluster,
        name,
        broker_id,
        address,
        version,
        load,
        f"{0:9.2f}(0,0ms)",
        "0" if version else "",
        "4.09",
        "0.35",
    )


def cluster_list(*members):
    """clusterList of 4.x."""
    return table(CLUSTER_4, COLUMNS_4, *members)


def wrapped(text, width):
    """Lines as a terminal of that width shows them."""
    lines = [line[at : at + width].rstrip() for line in text.splitlines() for at in range(0, len(line), width)]
    return "\n".join(lines) + "\n"
