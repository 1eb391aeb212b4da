"""What an advice says."""

from __future__ import annotations

from state.texts import Text


class AdviceTexts:
    """What an advice says of the settings that were tried."""

    ABOVE_ALL = Text("{difference}, above all {after} ({ours} instead of {theirs})")
    GROUP_OR_REPLICAS = Text("a trial is about a consumer group or about replicas; expected one of both")
    HARMLESS = Text("better than now, not shown worse in any situation")
    IN_EVERY = Text("{objectives}: shown to hold in every situation for {settings:,} {settings:setting|settings}.")
    BUT = Text("; but {losses}")
    DIFFERENCE = Text("{criterion} {ours} instead of {theirs}")
    DOMINATED = Text("The current settings are dominated by {name}: better in some figure, {worse}.")
    IN_NONE = Text("{objectives}: no setting is shown to hold this in every situation.")
    KEEP = Text("Keep the current settings: none of {settings:,} {settings:setting|settings} tried is better.")
    NONE_OFFERED = Text(
        "None of {settings:,} {settings:setting|settings} is offered: with each of them a figure has no end within the "
        "run, and another measures worse than now."
    )
    NOTHING_MEASURED = Text("No advice: {figures} could not be measured in every situation.")
    NOT_COMPARED = Text("Not measured of every setting in every situation, and not compared: {figures}.")
    NOT_FOR_SURE = Text("{difference}, which these runs do not show for sure")
    NOT_SHOWN_WORSE = Text("not shown worse in {situations}, with {runs:,} {runs:run|runs} each")
    NO_REPLICAS = Text("none of them has replicas or slaves; expected a set such as {{replicas: 3, mode: controller}}")
    NO_FAULTS = Text("the scenario has no faults; expected --faults usual")
    NO_RUN = Text("No run is finished: there is no result yet.")
    ONE_ATTEMPT_CLIENT = Text("// {client}, {group}: request time-out {timeout}")
    OTHER_CLIENT = Text("// {client}, {group}: request time-out {timeout}, {attempts} {attempts:attempt|attempts}")
    OWN_CLIENT_ONLY = Text("advice is about the settings of RocketMQ's own client; take the policy out")
    PICK = Text("{name}: {best_in}{gains}{not_shown_worse}{losses}.")
    PARTLY = Text(
        "Stopped early, no advice: {settings:,} of {planned:,} {planned:setting|settings} {settings:has|have} runs; "
        "the same command resumes."
    )
    PREVIEW = Text(
        "Preview, no advice: {seeds:,} {seeds:seed|seeds}; at least {least} are needed to compare situations."
    )
    PROXIES_OF = Text("// proxies of {release} instead of {before}")
    RECEIVING_THREADS = Text("// {threads} {threads:thread that receives|threads that receive}, instead of {before}")
    TRIED = Text(
        "{settings:,} {settings:setting|settings} were tried in {situations:,} {situations:situation|situations}; "
        "{unbeaten} of them {unbeaten:is|are} not dominated by another."
    )
    WORSE_AFTER = Text("{criterion} {after} {ours} instead of {theirs}")
    WORSE_IN_ALL = Text(
        "shown to be worse in at least one figure in every situation, with {runs:,} {runs:run|runs} each"
    )
