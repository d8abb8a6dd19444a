"""Entities and facts by rules, without a model."""

from lcg.providers.extractor.rules.extractor import RuleExtractor

__all__ = ["RuleExtractor"]
