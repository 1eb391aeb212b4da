"""The command line as spark-submit begins it: what follows this file's name is what follows `sendlab`."""

from streaming.entry import main

main()
