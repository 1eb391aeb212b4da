"""What stands in the templates of pages: headings, notes and what screen readers read."""

from __future__ import annotations

from state.texts import Text


class TemplateTexts:
    """What stands in the templates of pages, which know this class by its name."""

    ALL_ANSWERED = Text("Every broker answered, and no slower than usual, all of the time.")
    BROKERS_SHOWN = Text("Brokers: show or hide in all pictures")
    CASE_MET = Text("{often}; met by {met}.")
    CASE_MISSES = Text("It misses {also}, too.")
    CASE_OTHERS = Text("Other schedules with these faults miss {others}.")
    CHANGED = Text("Changed while it ran")
    CHOICES_NOTE = Text(
        "Each dot is a setting, mean of all situations. Down and to the left is better; picks are numbered."
    )
    COSTS = Text("What it costs")
    DO_NOT_ADD_UP = Text("The counts do not add up to the messages.")
    FAULTS_OF_CASE = Text("the faults of the case over virtual time")
    FIT_COMPARED = Text("The mean of {count} {count:run|runs} of the fitted scenario is compared with the trace.")
    HOW_SURE = Text("How sure this is")
    HUNTED = Text("Objectives: {objectives}. Space: {space}.")
    JOBS_FOOT = Text("This page looks at the output folders and changes nothing; it asks again every second.")
    JUDGED = Text("Situations: {situations}. Judged by: {judged_by}.")
    KNOWS_NOTHING = Text("What it does not cover")
    LAG_OF_GROUPS = Text("lag of groups")
    LIGHT_OR_DARK = Text("Switch between light and dark")
    MADE_BY = Text("Page by Sendlab {version}.")
    MEASURES = Text("What is measured")
    MORE_COLUMNS = Text("more columns")
    NOT_ALL_SIMULATED = Text("Not finished: {done} are simulated so far.")
    NOT_FINISHED = Text("Not finished: this is what was known when it was stopped.")
    NOT_TESTED = Text("Not tested: no run without it was made; it only happened at the same time.")
    NO_FAULTS = Text("The scenario has no faults.")
    NO_JOB = Text("No job has started in these folders yet.")
    OBJECTIVES_KEPT = Text("Objectives in every situation: {objectives}.")
    ONE_WAY = Text("The caller of a one-way send gets no answer: a message that is lost is lost unseen.")
    OUT_OF_ORDER = Text("Stored out of order: {count:,} {count:copy|copies}.")
    OVER_TIME = Text("{title}, over virtual time")
    PART_OF_PRODUCERS = Text("100 % of producers")
    PICTURES_NEED = Text("The pictures need JavaScript. All tables are readable without.")
    PICTURES_NOT_DRAWN = Text("The pictures could not be drawn:")
    PRODUCERS = Text("Producer by producer")
    PRODUCERS_BARS = Text("Bars of the times at which each producer isolated a broker")
    PRODUCERS_NOTE = Text("({producers}; rows are numbers of producers, colours are brokers)")
    PROVEN = Text("Proven by leaving faults out")
    QUEUES = Text("Load by queue")
    QUEUES_NOTE = Text("Per cent of the attempts of a topic, by queue id. {note}")
    RATES_ASSUMED = Text("Times are virtual. Rates are assumptions.")
    RESULTS = Text("What came out")
    RUNS_NOTE = Text("Every number above is made of these runs; all measures of each are in runs/, as Parquet.")
    SEARCH_NOTE = Text(
        "Numbered in order; green holds, red does not, orange is undecided. The dashed line is the bound."
    )
    SERVE_SILENT = Text("No answer from sendlab serve: this page is out of date.")
    SHOW_OR_HIDE = Text("Show or hide {name}")
    SOURCES = Text("Experiment and scenarios")
    TABLES_NOT_WRITTEN = Text("Tables that were not written: {tables}.")
    TOTALS_DIFFER = Text("Totals do not match: {contradiction}.")
    WHAT_TO_SHOW = Text("{title}: what to show")
    WITHOUT_PICTURE = Text("Without a picture")
