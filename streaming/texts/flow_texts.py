"""What is printed about blocks on their way: feeds, steppers, the console, collectors of traces."""

from __future__ import annotations

from state.texts import Text


class PageServerTexts:
    """What the server of pages and metrics answers to a request that it does not serve."""

    NO_SUCH_PAGE = Text("There is no such page.")
    OTHER_SERVER = Text("this server is not {name}")
    READ_ONLY = Text("this server can only be read")
    WITHOUT_A_NAME = Text("without a name")


class FlowTexts:
    """What is printed about blocks on their way: feeds, steppers, the console, collectors of traces."""

    ATTEMPT = Text(
        "{end_s:11.6f} s  {topic} #{seq} of producer {producer}.{thread}, attempt {attempt}: {broker} queue {queue} "
        "({reason}) {outcome}{code} after {took_ms:g} ms{more}"
    )
    COLLECTOR_ANSWERED = Text("{url} answered {code} {reason}")
    COLLECTOR_DID_NOT_TAKE = Text("{url} did not take spans: {why}")
    COLLECTOR_EXPECTED = Text("expected a collector's address such as http://127.0.0.1:4318")
    COLLECTOR_REJECTED = Text("{url} rejected {count} {count:span|spans}: {why}")
    LATE = Text("late: the cell has passed window {window}")
    MORE_ATTEMPTS = Text("... and {count:,} more {count:attempt|attempts} in this block")
    NOT_ARROW = Text("not an Arrow IPC stream: {why}")
    NO_KIND_OF_RUN = Text("no kind of run {kind}")
    NO_BATCH = Text("a task that writes files has no local property {name}")
    NO_RUN_OF_THE_JOB = Text("a block of run {run}, which is none of the job's: {runs}")
    NO_TABLE_OF_REPLAYS = Text("a replay has no table {table}")
    NO_TABLE_OF_SCENARIOS = Text("a scenario has no table {table}")
    PASSWORD_REFUSED = Text("a URL with a password is refused; put a collector of your own in between")
    PORT_TAKEN = Text("port {port} of {address} cannot be listened on: {why}; choose another")
    POSITION = Text("run {run}, cell {cell}, window {window}, table {table}")
    QUEUE_LIST_UNREADABLE = Text("the queue list cannot be read")
    STATE_OF_ANOTHER_RUN = Text(
        "the state has nothing of run {run}, cell {cell}, although it is past its first window: the state is of "
        "another run"
    )
    UNKNOWN_TABLE = Text("unknown table {table}")
    WINDOW_BEYOND = Text("beyond the run's last window {last}")
    WINDOW_OF_THE_END = Text("the end of the run is window {end}")
