"""The generator: reads spec/, checks it, and renders everything that merely repeats what it says.

It is a development tool and no part of the package; it imports nothing of it. The way of a spec through the modules:

    yamlload    strict YAML → plain values, and the line of each
    gate        the shape: spec/tools.schema.json
    parse       plain values → model, the registry as frozen data
    rules/      the meaning: a table of rules, each a function
    resolve     every derived fact, computed once: names; published (schemas), decoders, results (types),
                pages (reference), cases (contract tests); shapes compares values with declared results
    render      templates/, one for each row of the table in outputs; they only loop
    writer      header, format, write what changed, remove orphans, or compare

`findings` are the faults of a spec, all reported together; `project` runs the whole way; `__main__` is the command.
"""
