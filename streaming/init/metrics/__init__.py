"""Figures over time: metrics of exporters and of brokers themselves, and a broker's stats.log."""
