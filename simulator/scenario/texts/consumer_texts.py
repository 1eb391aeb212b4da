"""What is printed about groups of consumers and what they read."""

from __future__ import annotations

from state.texts import Text


class ConsumerTexts:
    """What is printed about groups of consumers and what they read."""

    BACKLOG_TOO_LARGE = Text("expected at most {most:,} messages in all")
    BROADCAST_BACKLOG = Text(
        "a broadcasting group has a backlog for each instance, which no broker knows; leave it out"
    )
    BROADCAST_DROPS = Text("{drops}; leave it out")
    BROADCAST_HANDLES_ALL = Text("instances of a broadcasting group all handle every message; leave it out")
    BROADCAST_IN_ORDER = Text("a broadcasting group that consumes in order is not modelled; expected CONCURRENTLY")
    BROADCAST_LAG = Text("a broadcasting group has a lag for each instance; leave it out")
    BROADCAST_POP = Text("a broadcasting group cannot pop; expected CONCURRENTLY")
    BROADCAST_SENDS_BACK = Text("what a broadcasting group sends back nobody reads; leave it out")
    BROKERS_READ_UNLIKE = Text(
        "the brokers read different expressions, {ways}; expected one that all of them read alike"
    )
    BROKER_CANNOT_READ = Text("a broker of {release} cannot read {sql}: {remark}{spelling}")
    CELLS_APART = Text("consumers read what all producers send, and cells simulate these apart; expected 1, got {got}")
    CLIENT_REFUSES = Text("the client refuses {tags} (subString split error); expected a tag")
    EXPECTED_CLUSTERING = Text("{drops}; expected groups with message_model CLUSTERING")
    IN_ORDER_DEDUPLICATED = Text("a group that consumes in order and deduplicates is not modelled; leave it out")
    KEDA_REFUSES = Text("KEDA refuses it together with allow_idle_consumers; leave out one of them")
    LEAST_ABOVE_MOST = Text("expected at most most, {most}, got {got}")
    LIST_WITHOUT_BROKER = Text("a list has a number for each queue of one broker; expected {{broker: list}}")
    MADE_TOPIC_READ = Text("topic {topic} is created by its first sends; consumers of it are not modelled")
    MATCHES_NOTHING = Text("{tags} matches nothing: the tags of topic {topic} are {known}")
    MATCHES_NO_TAGS = Text("{tags} matches nothing: the messages of topic {topic} have no tags; expected *")
    MORE_NUMBERS_THAN_QUEUES = Text("expected at most {most} numbers, one for each queue, got {got}")
    NEW_GROUP_BACKLOG = Text("a new group has no offsets and no backlog; leave one of them out")
    NOBODY_GETS_A_QUEUE = Text("nobody gets a queue: {known}")
    NO_PROPERTIES = Text("the messages of topic {topic} have no properties")
    NO_RATE_AT_THE_START = Text("topic {topic} gets nothing as the run begins, or from closed loops; expected a number")
    NO_ROOMS = Text("no broker is named room@broker")
    NO_TAGS = Text("the messages of topic {topic} have no tags")
    ONE_EACH = Text("expected {instances}, one for each instance, got {got}")
    OUTSIDE_AUTOSCALE = Text("expected {least} to {most}, autoscale's least and most, got {got}")
    OWN_BATCHES_READ = Text(
        "what consumers read of batches that the client makes is not modelled; leave out this or consumers"
    )
    POP_LEVEL = Text("a client that pops has no level -1; leave it out")
    POP_RESET = Text("{group} pops: what a reset does to a POP group is not modelled; expected groups that pull")
    QUEUE_WITHOUT_BROKER = Text("queues are numbered by broker; expected {{broker: {{queue: messages}}}}")
    READS_AS = Text("one of {release} reads {tree}")
    RELEASE_WITHOUT_POP = Text("release {release} has no POP, 5.0.0 is the first that does")
    REST_IGNORED = Text("brokers ignore what begins at line {line}, column {column}: {rest}")
    ROOMS = Text("the rooms are {rooms}")
    SET_PROPERTIES = Text("{why}; set properties of topics or producers")
    SQL_EXPECTED = Text("expected an SQL92 expression such as \"region = 'eu' AND amount > 10\", got {got}")
    SQL_MATCHES_NOTHING = Text("{sql} matches nothing that is sent to topic {topic}{ignored}")
    STRATEGY_HAS_NOT = Text("strategy {strategy} has no such setting; leave it out")
    STRATEGY_NEEDS = Text("missing: strategy {strategy} needs {needed}")
    SUBSCRIPTIONS_EXPECTED = Text("expected a list of topics or a mapping of topic to tag expression, got {got}")
    TAGS_AND_SQL = Text("a subscription filters by tags or by sql; keep one, sql can ask for TAGS")
    TAGS_EXPECTED = Text('expected a tag expression such as "TagA || TagB" or "*", got {got}')
    TOO_MANY_READERS = Text("too many read topic {topic}; expected {most}")
    TOPIC_AND_TOPICS = Text("topic and topics exclude each other; keep one")
    TOPIC_MISSING = Text("missing; expected the name of a topic, or topics with several")
    TOPIC_WITHOUT_TAGS = Text("topic {topic} has no tags")
    TRACE_OF_BACKLOG = Text("when a backlog is consumed is not known before the run; leave out backlog or trace")
    TRACE_OF_BATCHES = Text(
        "each batch has its trace, and how many messages a thread takes at once is not known before the run; expected "
        "consume_message_batch_max_size 1, or no trace"
    )
    TRACE_OF_DELAYS = Text(
        "producers {group} delay messages of topic {topic}, and when those are consumed is not known before the run; "
        "leave trace out"
    )
    TRACE_OF_FAILURES = Text(
        "how often what always fails comes again within the run is not known before it; leave out fails_always or trace"
    )
    TRACE_OF_LOOPS = Text(
        "closed loops send to topic {topic}, and how much is not known before the run; give them a rate, or leave "
        "trace out"
    )
    TRACE_OF_SCALED = Text("how many instances trace is not known before the run; leave out autoscale or trace")
    UNREAD = Text("{what} are followed where they are read; give topic {topic} a group of consumers")
    WHOLE_MINUTES = Text("consumeTimeout is in whole minutes; expected some such as 15m, got {got}")
