"""What is printed about saved settings, facts and metrics of a cluster."""

from __future__ import annotations

from state.texts import Text


class InitTexts:
    """What is printed about saved settings, facts and metrics of a cluster."""

    ALONE_IN_ITS_SET = Text(
        "{broker} is in {mode} mode, and no other replica of it is in the files: nobody takes over from it here; add "
        "the settings of its other brokers."
    )
    AND_CONSUMED = Text(" and consumed {per_s}/s")
    APPLICATION_LOG = Text(
        "an application's log, which begins with {first!r}: init reads none; save what mqadmin prints "
        "(sendlab init --collect prints a script), or read its failed attempts with sendlab import"
    )
    BACKLOG_TOO_LARGE = Text("more than the {most:,} messages that a backlog may have")
    BESIDE_THE_MASTER = Text("brokers of that name beside the master")
    BROKERS_KNOWN = Text("the files name {count}: {brokers}; leave it out")
    COLUMNS_EXPECTED = Text("expected a line of columns that begin with #; save the whole output")
    COLUMNS_OF = Text("these are the columns of mqadmin {command}, which is not read")
    COMMAND_FAILED = Text("{command} failed: {why}")
    COMMAND_NOT_READ = Text("mqadmin {echoed} is not read{near}; expected the whole output of mqadmin {commands}")
    COMMAND_PRINTED_NOTHING = Text("mqadmin {command} printed nothing; run it again")
    CONNECTION_WITHOUT_GROUP = Text("consumerConnection does not print its group; name it consumerConnection-GROUP.txt")
    COUNT_EXPECTED = Text("expected a whole number from 1 to {most:,}, got {got!r}")
    COUNT_OF_PROGRESS = Text("consumerProgress has it")
    CONFIG_CUT_OFF = Text("getBrokerConfig: expected a key and =, got {got!r}: it is cut off; save the whole output")
    DIFF_CUT_OFF = Text(
        "#Diff is {got:,}, and the offsets {stored} and {consumed} are {apart:,} apart: the row is cut off "
        "or changed; save the whole output"
    )
    EMPTY_FOLDER = Text("the folder has no file; expected what mqadmin printed, such as clusterList.txt")
    FILE_EMPTY = Text("is empty; save the command's output again")
    FILE_TOO_LARGE = Text("is larger than {most} MiB; expected the output of one command a file")
    GROUP_BEHIND = Text("it was {count:,} {count:message|messages} behind{rate} ({source})")
    GROUP_LEFT_OUT = Text("The consumer group {group} is left out: {why}.")
    IN_TWO_CLUSTERS = Text(
        "{name} is in two clusters, {first} and {second}; keep the rows of one cluster, such as mqadmin "
        "clusterList -c {second}"
    )
    NAME_CUT = Text("{name} is cut at {length} characters, and several names begin so: {longer}")
    NOT_RECOGNISED = Text(
        "{asked}not recognised by its content, which begins with {first!r}; expected the whole output of "
        "mqadmin {commands}, a broker.conf, a broker's stats.log, metrics of the RocketMQ exporter or of "
        "brokers themselves, a client log, an imported trace, or producer.sh's lines"
    )
    NOT_THERE = Text("there is no such file or folder")
    NO_CLASS = Text("putMessageDistributeTime has no class such as [<=0ms]:12")
    NO_EXPORTER_METRIC = Text(
        "has no metric of the RocketMQ exporter that is read, such as rocketmq_producer_tps; query "
        '{{__name__=~"rocketmq_.*"}}'
    )
    NO_FAILED_ATTEMPT = Text("the client log has no failed attempt with its broker; nothing to read from it")
    NO_INSTANCE = Text("no instance is connected")
    NO_MINUTES = Text("stats.log has no line of a minute, such as [TOPIC_PUT_NUMS]; save more of it")
    NO_PUSH_CONSUMER = Text("its type is {kind}, and only push consumers are simulated")
    NO_ROWS = Text("the columns {columns} have no row below them; save the whole output")
    NO_SUCH_TOPIC = Text("no file has this topic; they have {known}")
    NO_TEXT = Text("is no text; expected what mqadmin printed, a broker.conf or metrics")
    NUMBER_EXPECTED = Text("{column}: expected a number, got {got!r}")
    OF_THAT_NAME = Text("brokers of that name")
    OF_THE_CONTROLLER = Text("the controller's brokers of that name")
    OTHER_COMMAND = Text(
        "mqadmin {echoed} does not print what is below it, which is what {looks} looks like; save the "
        "command's output again"
    )
    OUTPUT_OF_A_RUN = Text(
        "is the output of a run; expected what mqadmin printed of a cluster, such as clusterList.txt"
    )
    PROGRESS_WITHOUT_GROUP = Text(
        "consumerProgress -g does not print its group; name the file consumerProgress-GROUP.txt, or keep "
        "the line `mqadmin consumerProgress -g GROUP` above the output"
    )
    PROMETHEUS_CUT_OFF = Text("Prometheus' answer is cut off or no JSON ({why}); save it again")
    PROMETHEUS_ERROR = Text("Prometheus answered an error: {why}")
    PROMETHEUS_RESULT_EXPECTED = Text("expected data.result with metric and values, as /api/v1/query_range answers")
    COUNT_OVER_PROXIES = Text("brokers do not see instances that consume over a proxy")
    PROXIES_LEFT_OUT = Text("The proxies are left out: no file shows a group that consumes over them.")
    RETRY_OF_POP = Text("it is the retry topic of {group}, which pops {topic}")
    UNSEEN_INSTANCES = Text(
        "no instance is connected, though it consumes {per_s}/s; brokers do not see those that consume over a proxy: "
        "add the proxies' rmq-proxy.json"
    )
    PROXIES_OF_PRODUCERS = Text(
        "Brokers do not know who sends over proxies: give such a group of producers grpc: {{release: 5.0.8}}."
    )
    PROXY_CONFIG_CUT = Text("rmq-proxy.json: expected JSON, and it is cut off or changed ({why}); save the whole file")
    PROXY_VALUE = Text("{name}: expected {wanted}, got {got!r}")
    QUESTION_BROKERS = Text("1/5 How many brokers (masters) does the cluster have?")
    QUESTION_PRODUCERS = Text("3/5 How many producer processes are there?")
    QUESTION_QUEUES = Text("5/5 How many queues does the topic have on each broker?")
    QUESTION_RATE = Text("4/5 How many messages a second do all send together at peak?")
    QUESTION_RELEASE = Text("2/5 Which release of the RocketMQ client do the producers use?")
    RATE_EXPECTED = Text("expected a rate above 0 such as 1000/s, got {got!r}")
    RELEASE_EXPECTED = Text("expected a release from {first} to {newest}, got {got!r}{near}")
    ROUTE_CUT_OFF = Text(
        "topicRoute: expected JSON with brokerDatas and queueDatas, and it is cut off or changed; save the whole output"
    )
    ROW_EXPECTED = Text(
        "expected the columns {columns}, got {got!r}{missing}; save the whole output, lines not wrapped"
    )
    RUNNING_INFO_CUT = Text(
        "consumerStatus: expected properties with a consumerGroup, and #Consumer RT&TPS# further down; save the whole "
        "file of the instance"
    )
    SAMPLE_EXPECTED = Text(
        'expected a sample such as rocketmq_broker_tps{{broker="broker-a"}} 12.5, got {got!r}; save the whole page'
    )
    SCRAPED_IN_TWO_CLUSTERS = Text(
        "{name} is in two clusters, {first} and {second}; keep the metrics of one cluster, such as those with "
        'cluster="{second}"'
    )
    SETTING_OF_OTHERS = Text("{other} is a setting of {others}; expected a broker.conf, or mqadmin getBrokerConfig")
    SET_CUT = Text("{name} has no replica below it: it is cut off; save the whole output")
    SLAVES_ALONE = Text("the files have no master of {brokers}, slaves alone; save clusterList again")
    STATS_TIME_EXPECTED = Text(
        "expected a time and `SUM: 4525 TPS: 75.42` in a line of stats.log, got {got!r}; save whole lines"
    )
    STATUS_WITHOUT_GROUP = Text(
        "consumerStatus does not print its group; name the file consumerStatus-GROUP.txt, or keep the line "
        "`mqadmin consumerStatus -g GROUP` above the output"
    )
    STATUS_CUT_OFF = Text("brokerStatus of {broker} has no {missing}: it is cut off; save the whole output")
    TAGS_ALIKE = Text("what groups filter by, all alike; no file shows how often each is")
    TOPICS_LEFT_OUT = Text("its topics are left out ({topics})")
    TOPIC_A_LINE = Text("topicList: expected a topic a line, got {got!r}")
    TOPIC_NOT_KNOWN = Text("no file names its topic; consumerProgress -g does")
    TOTAL_OF_OTHER_ROWS = Text(
        "#Diff is {rows:,} in all rows together, and the total below them is {total:,}: rows are missing; save the "
        "whole output"
    )
    WHOLE_NUMBER_EXPECTED = Text("{column}: expected a whole number, got {got!r}")
    WITHOUT_TOPIC = Text(
        "{command} does not print its topic; name the file {command}-TOPIC.txt, or keep the line "
        "`mqadmin {command} -t TOPIC` above the output"
    )
