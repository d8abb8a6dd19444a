"""The one way to change a graph: plan, log, apply, index, acknowledge."""
