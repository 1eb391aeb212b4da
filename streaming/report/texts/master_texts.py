"""What findings say about sets of replicas: time without a master, and what an election costs."""

from __future__ import annotations

from state.texts import Text


class MasterTexts:
    """What findings say about sets of replicas: time without a master, and what an election costs."""

    ANSWERED_AGAIN = Text("it answered again before anybody was elected")
    ATTEMPTS_FAILED = Text("{attempts} of {group} there failed and no message")
    CONSUMED_NOTHING = Text("{group} consumed nothing of it for {seconds:,.3g} s")
    ELECTED = Text("machine {machine} is elected at {elected} ({why})")
    HAD_NO_COPY = Text("machine {machine}, elected at {elected}, had no copy")
    LAG = Text("Lag of each replica, s")
    LAG_NOTE = Text(
        "For how long what a machine lacks is stored: grows while the machine lags or is away, 0 while it copies."
    )
    MESSAGES_FAILED = Text("{attempts} of {group} there failed, and {messages} with {vain:it|them}")
    MET_NOTHING = Text("{groups} met nothing of it")
    MORE_GROUPS = Text("{count} more {count:group|groups}")
    NOBODY_OF_THE_SYNC_SET = Text("nobody of the sync set ({machines}) was there{outside}")
    NOBODY_TAKES_OVER = Text("nobody takes over ({mode})")
    NONE_UNTIL_THE_END = Text("none until the end")
    NOTHING_LEFT = Text("{silence}, {seconds:,.3g} s of that with nothing left to consume")
    NOTHING_TO_CONSUME = Text("{group} had nothing of it to consume for {seconds:,.3g} s")
    NOT_IN_SYNC = Text(", and machine {machines} not in it")
    NO_CONTROLLER = Text("no controller led at {at}")
    NO_MAJORITY = Text("no majority of its machines was there at {at}")
    OFFSETS_AGAIN = Text("the {masters} {elections} reused offsets that it had already read")
    OFFSETS_BEHIND = Text("the master of {broker}, elected at {elected}, began with offsets {messages} behind")
    OF_BROKER = Text("of {broker}, elected at {elected},")
    SLAVE_ACTS = Text("its slave acts for it, to read from")
    SLAVE_REFUSES = Text("its slave acts for it and refuses pulls (slave_read_enable is false)")
    WITHOUT_MASTER = Text("{broker} had no master for {seconds:,.3g} s")
