"""Large language models as extractors and classifiers: prompts, the two HTTP dialects, budgets, cassettes."""
