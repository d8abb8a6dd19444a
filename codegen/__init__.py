"""The generator: reads spec/, checks it, and renders everything that merely repeats what it says.

yamlload → gate → parse → rules → resolve → render → writer. It is a development tool and no part of the package.
"""
