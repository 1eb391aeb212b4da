"""What went wrong in a job, in our words: whose fault it is and what to do."""

from __future__ import annotations

import errno
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from state.sentence_error import SentenceError
from streaming.errors import EnvironmentProblem, InputError
from streaming.texts.job_texts import JobTexts
from streaming.texts.output_texts import OutputTexts

WORKER_DID_NOT_CONNECT = "failed to connect back"
OTLP_REFUSED = "OtlpRefused"  # begins what a collector of traces did not take
RECORDS_GONE = ("KAFKA_DATA_LOSS", "Some data may have been lost", "OffsetOutOfRangeException")
NO_BROKER = ("Timed out waiting for a node assignment", "org.apache.kafka.common.errors.TimeoutException")
FULL = (errno.ENOSPC, errno.EDQUOT)
DISK_FULL = ("No space left on device", "Disk quota exceeded", "the disk is full")
# What Hadoop's file system on S3 says when its store does not answer, or not to these keys.
NO_STORE = (
    "SdkClientException",
    "AWSClientIOException",
    "AWSServiceIOException",
    "AWSStatus500Exception",
    "NoAuthWithAWSException",
    "UnknownStoreException",
    "AccessDeniedException: s3a",
)
# What a Python says that lacks the module which it is to run, with its own words for it.
NO_MODULE_TO_RUN = re.compile(r"Error while finding module specification for \S+ \((\w+Error: .+)\)$", re.MULTILINE)
# What Spark says when its checkpoint cannot be read back.
DAMAGED = (
    "CANNOT_LOAD_STATE_STORE",
    "CANNOT_READ_STREAMING_STATE_FILE",
    "Failed to read log file",
    "JsonParseException",
    "STREAMING_CHECKPOINT",
    "STATE_STORE_",
    "is corrupted",
)


def disk_problem(error: OSError, folder: Path) -> EnvironmentProblem:
    """A failed file operation as a sentence."""
    if error.errno in FULL:
        return EnvironmentProblem(JobTexts.DISK_FULL().at(folder))
    return EnvironmentProblem(OutputTexts.UNUSABLE(why=error.strerror or error).at(error.filename or folder))


@contextmanager
def room_needed(folder: Path) -> Iterator[None]:
    """A file operation that fails, here or in a task of Spark's whose disk is full, as EnvironmentProblem."""
    try:
        yield
    except OSError as error:
        raise disk_problem(error, folder) from error
    except Exception as error:
        if not isinstance(error, SentenceError) and any(words in str(error) for words in DISK_FULL):
            raise EnvironmentProblem(JobTexts.DISK_FULL().at(folder)) from error
        raise


def not_writable(error: OSError, folder: Path) -> EnvironmentProblem:
    """Why a folder or file that is asked for cannot be made."""
    if error.errno in FULL:
        return disk_problem(error, folder)
    return EnvironmentProblem(OutputTexts.NOT_WRITABLE(why=error.strerror or error).at(folder))


def is_heap_full(text: str) -> bool:
    """Whether a JVM says in these words that its heap was too small."""
    return "OutOfMemoryError" in text or "GC overhead limit exceeded" in text


def heap_full(memory: str) -> EnvironmentProblem:
    """The heap of Spark's JVM, of that size, was too small."""
    return EnvironmentProblem(JobTexts.HEAP_FULL(memory=memory))


def explained(error: BaseException, out: Path, checkpoint: Path) -> Exception:
    """An exception of a query as InputError or EnvironmentProblem; the whole of it goes to `error.log`."""
    text, log = str(error), checkpoint / "error.log"
    with suppress(OSError):
        log.write_text(text)
    if WORKER_DID_NOT_CONNECT in text:
        return EnvironmentProblem(JobTexts.WORKER_DID_NOT_START())
    if OTLP_REFUSED in text:
        why = text.partition(f"{OTLP_REFUSED}: ")[2].splitlines()[0]
        return EnvironmentProblem(JobTexts.SPANS_REFUSED(why=why, log=log))
    if any(words in text for words in RECORDS_GONE):
        return InputError(JobTexts.RECORDS_GONE(log=log))
    if any(words in text for words in NO_BROKER):
        return EnvironmentProblem(JobTexts.NO_KAFKA_BROKER(log=log))
    if any(words in text for words in DISK_FULL):
        return EnvironmentProblem(JobTexts.DISK_FULL().at(out))
    if "Permission denied" in text or "Read-only file system" in text:
        return EnvironmentProblem(OutputTexts.NOT_PERMITTED().at(out))
    if "LayoutError" in text:
        return InputError(f"{checkpoint}: {reason(error).removeprefix('state.packing.LayoutError: ')}")
    if "SelectorError" in text:
        return InputError(reason(error).partition("SelectorError: ")[2])
    if "s3a://" in text and any(words in text for words in NO_STORE):
        return EnvironmentProblem(JobTexts.NO_OBJECT_STORE(log=log))
    if any(words in text for words in DAMAGED):
        return InputError(JobTexts.CHECKPOINT_UNREADABLE(why=reason(error), log=log).at(checkpoint))
    return EnvironmentProblem(JobTexts.FAILED(why=reason(error), log=log))


def reason(error: BaseException) -> str:
    """The telling line of an exception of Spark's, Python's nested in Java's: Python's last or Java's first."""
    try:
        text = str(error).partition("=== Streaming Query ===")[0]
    except Exception:  # py4j asks the JVM for the words, which may be gone
        text = ""
    if (lacks := NO_MODULE_TO_RUN.search(text)) is not None:
        return lacks[1]
    lines = [line.strip().removeprefix(": ").removeprefix("Caused by: ") for line in text.splitlines()]
    named = [line for line in lines if line.split(":")[0].rsplit(".", 1)[-1].endswith(("Error", "Exception"))]
    own = [line for line in named if not line.startswith(("org.", "java.", "com.", "py4j."))]
    java = [line for line in named if line.startswith(("org.", "java.", "com."))]
    first = lines[0].rpartition("terminated with exception: ")[2] if lines else ""
    return " ".join((own[-1] if own else java[0] if java else first or type(error).__name__).split())[:400]
