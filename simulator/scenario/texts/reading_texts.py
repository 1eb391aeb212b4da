"""What is printed about files, keys and values as they are read."""

from __future__ import annotations

from state.texts import Text


class ReadingTexts:
    """What is printed about files, keys and values as they are read."""

    ALIAS_OF_ITSELF = Text("an alias contains itself")
    AN_EXPERIMENT = Text("expected a scenario, got an experiment; run it with: sendlab whatif {file}")
    ANYTHING_BUT_TRUE = Text("RocketMQ takes {value!r} for false, as anything but true")
    A_BINARY_FILE = Text("expected {language} in UTF-8, got a binary file")
    A_DIRECTORY = Text("expected a {kind} file, got a directory")
    A_HUNT = Text("expected the file of an experiment or a scenario, got a hunt; run it with: sendlab hunt {file}")
    A_SCENARIO = Text("expected an experiment, got a scenario; an experiment has arms and the key scenario: {file}")
    BLANK_BEHIND_IGNORED = Text("releases before 5.2.0 ignore {value!r} for the blank behind it; here it counts")
    BOTH_SPELLINGS = Text("is {key} here, which is there as well; keep one of them")
    BROKERS_OF_A_MADE_TOPIC = Text(
        "which brokers have made topic {topic} (auto_create) is known to the run alone, so that its "
        "faults stay; rates may change"
    )
    CANNOT_BE_READ = Text("cannot be read: {reason}")
    CHARACTER_NOT_ALLOWED = Text("the character U+{code_point:04X} is not allowed in YAML")
    COUNTED_TWICE = Text("it makes a broker {broker}, which there is already")
    COUNT_OUT_OF_RANGE = Text("expected a whole number from 1 to {most}, got {count}")
    DID_YOU_MEAN = Text("; did you mean {near}?")
    DOTTED_PATH_EXPECTED = Text("expected a dotted path such as client.release")
    DRAWN_BY_PLACE = Text(
        "those that begin later draw their brokers by their place in the list; put new ones at its end"
    )
    EMPTY = Text("the {what} is empty; expected a mapping with {keys}, ...")
    FAULT_IN_THE_PAST = Text("{at} is in the past, the run is at {now}; a new fault must begin later")
    HALF_A_CHARACTER = Text("half of a surrogate pair is no character")
    HAS_NO_EFFECT = Text("{key} has no effect: {why}")
    INDEX_MISSING = Text("{where} is a list of {size}; name one, such as {where}.0")
    KEPT_BY_A_RUN = Text("a run that has begun keeps it; {may_change}")
    KEYS_WITHOUT_EFFECT = Text("{count} {count:key has|keys have} no effect here: {keys}")
    KEY_GIVEN_TWICE = Text("the key is given twice, first in line {first}")
    KIND_NOT_ADDED = Text(
        "{kind} cannot be added to a run that has begun: its rows already show which copies are durable"
    )
    KNOWN_AS_DEFAULT = Text(
        "known to RocketMQ, not modelled here as a setting: the release's default holds; leave it out"
    )
    KNOWN_TO_ROCKETMQ = Text("known to RocketMQ, not modelled here; leave it out")
    LATER_RATES_CHANGED = Text("later rates of {group}: {rates}, now {new_rates}")
    LIKE_IN_A_CIRCLE = Text("brokers are like each other in a circle: {circle}")
    MAPPING_EXPECTED = Text("expected a mapping with {keys}, ..., got {got}")
    MEASUREMENTS_ARE_BINARY = Text("expected text in UTF-8 in {file}, got a binary file")
    MEASUREMENTS_CANNOT_BE_READ = Text("{file} cannot be read: {reason}")
    MEASUREMENTS_TOO_LARGE = Text("more than {most} bytes")
    NAME_AS_KEY_EXPECTED = Text("expected a name as key, got a list or mapping")
    LOOKS_LIKE_YAML = Text(
        "{sign!r} (U+{code_point:04X}) in column {column} is no sign of YAML; write the colon, comma, blank or quote "
        "of an English keyboard"
    )
    NAME_HERE = Text("{key} is {name} here")
    NAME_OF_A_BROKER_EXPECTED = Text("expected the name of a broker, got {got}")
    AND_SO_ON = Text("{text}, and so on")
    NESTED_TOO_DEEP = Text("values are nested too deep for a scenario")
    NONE_HAS_THE_NAME = Text("no {what} named {name}; the scenario has none")
    NOTHING_TO_MERGE = Text("expected a mapping to merge, such as *name of one marked &name, or a list of such")
    NOT_KNOWN = Text("no {what} named {name}; known: {known}{near}")
    NOT_UTF8 = Text("expected {language} in UTF-8, got byte 0x{byte:02x} at offset {offset}")
    NOT_YAML = Text("not YAML: {problem}{where} (column {column})")
    NO_BROKER_IN_CONF = Text(
        "{file} has no {name}; write it under the broker's name: {{broker-a: {{{like_file}: ...}}}}"
    )
    NO_EFFECT_UNDER_DLEDGER = Text("has no effect under DLedger")
    NO_KEYS_TO_SET = Text("{path} has no keys to set")
    NO_KNOWN_KEY_IN_CONF = Text("{file} has no key that a scenario knows, such as {known}")
    NO_MEASUREMENTS = Text("no such file {file}")
    NO_MODULE = Text("no Python module {module} can be imported; expected one, or a file such as {module}.py")
    NO_NAME_TO_ROCKETMQ = Text("RocketMQ knows no {value!r} ({names}) and keeps the default")
    NO_SCENARIO = Text("expected a Scenario, or the path of a scenario file, got {scenario!r}")
    NO_SUCH_FILE = Text("no such file{near}")
    NO_SUCH_ITEM = Text("{path} has no item {index}; the last is {last}")
    NO_SUCH_KEY = Text("{path} has no key {key}")
    NO_WHOLE_NUMBER_TO_ROCKETMQ = Text(
        "RocketMQ cannot read {value!r} as a whole number, ignores it and keeps the default"
    )
    NUMBER_BEYOND_ROCKETMQ = Text("RocketMQ reads at most {most} here, ignores {value!r} and keeps the default")
    ONE_VALUE_EXPECTED = Text("expected one value")
    VALUE_UNREADABLE = Text("{problem}")
    VALUE_GOT = Text("{problem}, got {got}")
    OTHER_NAME = Text("{name} there, {new_name} now")
    RATE_CHANGED = Text("rate of {group}: {rate}, now {new_rate}")
    TAB = Text("a tab in column {column}; YAML is indented with spaces")
    TAG_NOT_ALLOWED = Text("the tag {tag} is not for scenarios")
    THREADS_MIN_ABOVE_MAX = Text(
        "a consumer whose consumeThreadMin ({least}) is larger does not start; expected {least} or more, got {got}"
    )
    TIME_WITHOUT_DATE = Text("expected a moment of the run such as 40s, got the time {value}: a run has no date")
    TOO_LARGE = Text("more than {most} bytes is no {kind} file")
    TOO_MANY_COUNTED = Text("makes more than {most} brokers in all")
    TOO_MANY_VALUES = Text("more than {most} values")
    UNKNOWN = Text("unknown key; known: {known}")
    UNKNOWN_HERE = Text("unknown key here; it belongs to {place}, where it is {key}")
    UNKNOWN_INSTEAD = Text("unknown key; {instead}")
    UNKNOWN_MEANT = Text("unknown key; did you mean {near}?")
    UNKNOWN_MEANT_NOT_MODELLED = Text("unknown key; did you mean {near}? It is known to RocketMQ, not modelled here")
    UNKNOWN_WITHOUT_EFFECT = Text("unknown key; in RocketMQ it has no effect: {why}")
    WITH_KEYS = Text(" with keys such as {keys}")
    WRITE_IT_OUT = Text("{trouble}; write the scenario out")
    YAML_UNREADABLE = Text("cannot be read")
