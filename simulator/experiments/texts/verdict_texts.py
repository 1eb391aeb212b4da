"""What a verdict says: differences, objectives, searches, and why nothing differs."""

from __future__ import annotations

from state.texts import Text


class VerdictTexts:
    """What an experiment says of its arms; ours: an arm's figure, theirs: the base's."""

    ANSWER = Text("{answer} is the {which} {key} for which {objectives} (confidence {confidence} %){beside}.")
    AS_NARROW_AS_ASKED = Text("{arm}: as narrow as asked after {runs:,} {runs:run|runs}.")
    ATTEMPTS = Text("makes {ours} {ours:attempt|attempts} for a message instead of {theirs}")
    BECAUSE = Text(": {why}")
    BESIDE = Text(": there {why}; at {value} {missed}")
    BROKER_GONE = Text(", {with_gone} % with one broker gone")
    BUSIEST_BROKER = Text("the busiest broker's send threads")
    BUSIEST_QUEUE = Text("puts {ours} % instead of {theirs} % on its busiest queue")
    CANNOT_TELL = Text("{arm}: these runs cannot tell whether {objectives}: {why}.")
    COPIES = Text("stores {ours} {ours:copy|copies} of a message instead of {theirs}")
    DIFFERS = Text("{arm}{mark} {differences} (against {base}){failures}.")
    DUPLICATES_PART = Text("stores 1/{part} of the duplicates")
    DUPLICATES_TIMES = Text("stores {times} times as many duplicates")
    ENDLESS_IN = Text("{measure} has no end within the run in {endless:,} of {runs:,} {runs:run|runs}")
    END_OF_RANGE = Text(", the end of the range")
    EVERY_ARM = Text("every arm")
    FAILED_MESSAGES_COUNT = Text(
        "Latencies are of all messages, also of the failed ones: {least} of them fail for {best}, {most} for {worst}. "
        "Compare failed_percent before the mean."
    )
    FAILED_MESSAGES_LOWER = Text(
        "The mean latency of {worst} is lower than that of {best} ({ours} and {theirs}), but more of its messages fail "
        "({most} and {least}): latencies are of all messages, and those that fail fast lower the mean."
    )
    FAILS = Text("fails {ours} of its messages instead of {theirs}")
    GROUP_THREADS = Text("{group}'s consume threads")
    HEADROOM = Text("headroom {left} %")
    HIGHER = Text("{figure} is {size} {unit} higher ({ours} instead of {theirs})")
    HOLDS = Text("{objectives} {count:holds|hold} for {whose}.")
    INSTANCE_GONE = Text(", {with_gone} % with one instance gone")
    IS = Text("{measure} is {figure}")
    IS_NONE = Text(
        "{measure} is {figure}, and no number of runs shows that it is always 0; a bound above 0 can be shown, such as "
        "{measure} < 1"
    )
    JUST_MET = Text(
        "{measure} is {figure} in each of {runs:,} {runs:run|runs}, which does not show that it is always so; a bound "
        "beyond it can be shown, such as {beyond}"
    )
    LIMIT_REACHED = Text(
        "{arm}: the limit of {runs:,} {runs:run|runs} was reached before {measures} was as narrow as asked."
    )
    LOSES = Text("loses {ours} {kind} {ours:message|messages} per run instead of {theirs}{apart}")
    LOWER = Text("{figure} is {size} {unit} lower ({ours} instead of {theirs})")
    MISSES = Text("{arm} misses {objectives}: {why}.")
    NO_MESSAGES = Text(", as {group} had nothing to consume")
    NOT_MEASURED = Text("{measure} was not measured{why}")
    NOT_MEASURED_IN = Text("{measure} was not measured in {missing} of {runs:,} {runs:run|runs}")
    NOT_MONOTONE = Text(
        "The objectives are not monotone in {key}: one further in misses them, or one further out holds."
    )
    NOT_SHOWN = Text("{difference}, which these runs do not show")
    NOT_STORED = Text("does not store {ours} {kind} {ours:message|messages} per run instead of {theirs}{apart}")
    NO_DIFFERENCE = Text(
        "{arm} against {base}: no difference worth reporting that these {pairs:,} {pairs:pair|pairs} of runs can show."
    )
    NO_DIFFERENCE_OF_A_PAIR = Text(
        "{arm} against {base}: no difference worth reporting that one pair of runs can show."
    )
    NO_HEADROOM = Text("no headroom")
    NO_MASTER = Text("is without a master for {ours} instead of {theirs}")
    NO_RECOVERY = Text("does not recover within the run instead of after {theirs}")
    NO_VALUE = Text("No {key} from {first} to {last} is shown to hold {objectives}; at the easiest end {missed}.")
    ONE_COPY = Text("stores 1 copy of a message instead of {theirs}")
    RECOVERS = Text("recovers after {ours} instead of {theirs}")
    RECOVERS_WHERE_BASE_NOT = Text("recovers after {ours} instead of not at all within the run")
    SAME = Text("{arm} and {base} are the same: every measure differs by exactly 0 in every pair of runs{because}.")
    SAME_FAILURES = Text("; exactly as many messages fail in every pair of runs{because}")
    SEARCH_UNFINISHED = Text(
        "The search for the {which} {key} is not finished: {tried} {tried:value is|values are} tried."
    )
    SIGNED = Text(", {apart} ({low} to {high})")
    UNCHANGED_SCENARIO = Text("the unchanged scenario")
    TOO_FEW_RUNS = Text(
        "{measure} is {figure} in the median, and it takes at least {runs:,} {runs:run|runs} to be {confidence} % sure "
        "of a median"
    )
    UNDECIDED = Text("these runs cannot tell: {why}")
    UTILISATION = Text("Utilisation at peak is {at_peak} % of {whose}{gone}: {headroom}.")


class SameBecauseTexts:
    """Why an arm comes to exactly the same as the base: what no message of a run made use of."""

    ALL_FAILURES = Text("all failures were {endings}{not_retried}")
    NOT_RETRIED = Text(", which {releases} does not retry")
    NO_ATTEMPT = Text("no message used a {ordinal} attempt")
    NO_FAILURE = Text("no message failed")
    NO_ISOLATION = Text("no broker was isolated")
