"""The parts of `lcg.runtime.decode`: common ground, then one module for each kind of parameter."""
