"""The colours of lines and dots on every page."""

# Okabe and Ito's colours without yellow and black, then Tol's muted ones; after the sixth, dashes help.
COLOURS = (
    *("#1f83c6", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00"),
    *("#8470c9", "#999933", "#b0436e", "#44aa99", "#8c6d46", "#7f8fa6"),
)
