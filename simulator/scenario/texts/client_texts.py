"""What is printed about settings of clients."""

from __future__ import annotations

from state.texts import Text


class ClientTexts:
    """What is printed about settings of clients."""

    BATCHES_WITH_BACKPRESSURE = Text(
        "batches that the client makes are not modelled with back-pressure; set one of the two to false"
    )
    CODES_EXPECTED = Text("expected a list of response codes, got {got}")
    NOT_IN_RELEASE = Text("release {release} does not have it; the first that has it is {first}")
    NO_SUCH_RELEASE = Text("no release {got}; {known}; did you mean {near}?")
    POLICY_AND_STRATEGY = Text("a policy decides instead of the strategy; set send_latency_fault_enable: false")
    RELEASE_EXPECTED = Text("expected a release such as 4.9.8, got {got}")
    SAME_FOR_ALL = Text("it is the same for all producers; set it in client instead")
    STEPS_OUT_OF_RANGE = Text("expected 1 to {most} durations, got {got}")
    STEPS_UNLIKE = Text(
        "latency_max has {latencies} {latencies:entry|entries} and not_available_duration {durations}; expected as many"
    )
    STEP_BELOW = Text("expected at least the {before}ms before it, got {got}ms")
    STEP_NOT_ABOVE = Text("expected more than the {before}ms before it, got {got}ms")
