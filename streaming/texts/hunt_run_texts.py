"""What `sendlab hunt` prints, and what its page and its JUnit file say."""

from __future__ import annotations

from state.texts import Text


class HuntRunTexts:
    """What `sendlab hunt` prints, and what its page and its JUnit file say."""

    AGAIN_FROM_THE_CORPUS = Text("found again, from the corpus: {case}")
    ALSO_MISSES = Text("; it misses {objectives}, too")
    ANOTHER_HUNT = Text("the hunt there differs in {different}; choose another --out, or start over with --fresh")
    CASE_DAMAGED = Text("the case is damaged: {why}; delete it")
    CASE_MISSES = Text("{often}; misses {objective} in {seeds}")
    CASE_OF_ANOTHER_VERSION = Text("the case is of another version of sendlab; delete it")
    CORES_OF_PLAIN = Text("of the plain engine alone; of Spark, --master 'local[{cores}]'")
    CORPUS_EXPECTED = Text("expected a folder, got a file")
    CORPUS_HELD = Text("corpus: {held} of {schedules} {schedules:schedule|schedules} {held:holds|hold} the objectives")
    CORPUS_MISSES_AGAIN = Text("a schedule of the corpus misses again")
    DURATION_EXPECTED = Text("expected a duration above 0 such as 5m")
    FOLDER_EXPECTED = Text("expected a folder for a hunt, got a file")
    FOLDER_IN_USE = Text("choose another --out; another hunt is writing into this folder")
    FOLDER_NOT_EMPTY = Text("the folder is not empty and not a hunt's; choose another --out")
    FOUND = Text("found {case}")
    FREQUENCY = Text("{seeds}, {often}{also}")
    HEADING = Text("The worst that was found for: {hunt}")
    HOLDS = Text("holds: {tried} {tried:schedule|schedules} tried")
    LEFT_OUT = Text("The scenario cannot have {what}: {why}.")
    LEFT_OUT_KIND = Text("{kind} ({places})")
    MISSED = Text("missed: {tried} {tried:schedule|schedules} tried")
    MISSED_BY_CHANCE = Text("{percent:.2g} % of the random schedules miss {objective}.")
    MISSES_SEEDS = Text("It misses {objective} in {seeds}.")
    MORE_CASES = Text("{count} more {count:case|cases} on the page")
    MORE_PLACES = Text("{names} and {count:,} more")
    NEVER_REACHED = Text("states that no run reached: {states}")
    NEVER_MEASURED = Text("No schedule that was run could measure {measure}: nothing is known about {objective}.")
    NONE_CAN_RUN = Text("none of the schedules, {schedules}, can be run: {why}")
    NONE_MISSES = Text("{tried} tried: none misses {objectives}.")
    NONE_TRIED = Text("No schedule was run: nothing is known about {objectives}.")
    NOT_MEASURED = Text("not measured: {measures}")
    NOT_MEASURED_IN = Text("{unmeasured} of {tried} could not measure {measure}, and show nothing about {objective}.")
    NOT_RUN = Text("{schedules} could not be run: {whys}")
    OTHERS_MISS = Text("; other schedules with these faults miss {objectives}")
    OF_OTHER_REASONS = Text("for other reasons ({count:,})")
    OF_RUNS = Text("{schedules} in {runs} of this session, {took_s:,.0f} s.")
    PAGE = Text("page: {file}")
    PROCESS_ENDED = Text(
        "a process of the hunt ended before its run did, probably for want of memory; the same command resumes, with "
        "--cores for fewer of them"
    )
    PROGRESS = Text("{schedules}, {per_minute:,.0f} runs a minute, {cases}, {states} combinations of states")
    PROVES_NOTHING = Text(
        "A hunt that finds nothing proves nothing: it tried what its space allows, and not all of it."
    )
    RATES_ARE_ROUGH = Text(
        "How often a case happens follows from the table of rates, by independence: an order of magnitude."
    )
    REASON = Text("{why} ({count:,})")
    SAME_SEED = Text(
        "All schedules share the seed {seed} of the scenario: arrivals and service times are the same, so a schedule "
        "differs from another by its faults alone. A found case is run again with other seeds."
    )
    SEEDS = Text("{missed} of {seeds} {seeds:seed|seeds}")
    RUNS_FAILED = Text("{cases} end a run with an error; report one of the simulator's.")
    SPACE = Text("{kinds} of faults, at most {most} at a time")
    STOPPED = Text("stopped before the end of the hunt; the same command resumes from here")
    THERE_ALREADY = Text("{runs} there already")
    TRIED = Text("{schedules} tried, {cases} found.")
    WHAT_MAY_HAPPEN = Text("What may happen")
    WHAT_WAS_FOUND_BEFORE = Text("Schedules that were found before")
    WHAT_WAS_LEFT_OUT = Text("What the scenario cannot have")
    WHAT_WAS_MISSED = Text("What was missed")
    WHAT_WAS_REACHED = Text("States that the runs reached")
