"""Asking a model: its budget, one more try when that was too small, the second model when the first one fails."""

import logging
import threading
from collections.abc import Callable, Mapping
from typing import Any, Literal, Protocol, TypeVar

from lcg.providers.endpoint import ProviderError
from lcg.providers.llm.answers import Answer, BadAnswer, Usage
from lcg.providers.llm.exchange import Exchange, Reply, Request
from lcg.providers.llm.prices import Prices
from lcg.providers.llm.question import ROLES, Question, first_budget
from lcg.telemetry import Telemetry

_log = logging.getLogger(__name__)
ReadT = TypeVar("ReadT")
ItemsT = TypeVar("ItemsT")
Provider = Literal["anthropic", "openai"]


class Dialect(Protocol):
    """How a provider wants to be asked, and how it answers."""

    @property
    def provider(self) -> Provider:
        """Whose dialect it is."""
        ...

    def request(self, question: Question, model: str, max_tokens: int) -> dict[str, Any]:
        """Return the body of a request."""
        ...

    def read(self, question: Question, response: Mapping[str, Any]) -> Answer:
        """Read the body of an answer.

        Raises:
            BadAnswer: its outer form is wrong.
        """
        ...


class NoAnswer(Exception):
    """No model gave a usable answer. The message names model and remedy and is safe to show."""


class LlmClient:
    """Asks models questions. Blocks; safe from any thread.

    Args:
        dialect: how the provider is asked.
        exchange: who answers.
        models: the first one, and optionally one that takes over for good when that fails.
        ceiling: most tokens of one answer.
        telemetry: takes tokens, costs and failures.
        prices: what tokens cost.
    """

    def __init__(
        self,
        dialect: Dialect,
        exchange: Exchange,
        models: tuple[str, ...],
        *,
        ceiling: int,
        telemetry: Telemetry,
        prices: Prices,
    ) -> None:
        self._dialect = dialect
        self._exchange = exchange
        self._models = models
        self._ceiling = ceiling
        self._telemetry = telemetry
        self._prices = prices
        self._switching = threading.Lock()

    @property
    def provider(self) -> Provider:
        """Who is asked."""
        return self._dialect.provider

    @property
    def model(self) -> str:
        """The model that is asked now."""
        return self._models[0]

    def ask(self, question: Question, take: Callable[[list[Any]], tuple[ItemsT, int]]) -> tuple[ItemsT, int]:
        """Ask, and return what `take` makes of the items of the answer: those that are whole, and a count of others.

        Raises:
            NoAnswer: no model answered usably.
            OperationFailed: `cancelled`.
        """
        models = self._models
        try:
            return self._ask(question, models[0], take)
        except NoAnswer as failure:
            if len(models) == 1:
                raise
            self._switch(models, question, failure)
        return self._ask(question, models[1], take)

    def close(self) -> None:
        """Give up what is on its way. Safe to call twice."""
        self._exchange.close()

    def _switch(self, models: tuple[str, ...], question: Question, reason: NoAnswer) -> None:
        with self._switching:
            if self._models != models:
                return
            self._models = models[1:]
        _log.warning("%s From now on %s is asked.", reason, models[1])
        self._telemetry.emit(
            "llm_fallback",
            role=ROLES[question.call],
            primary_model=models[0],
            fallback_model=models[1],
            error_reason=str(reason),
        )

    def _ask(
        self, question: Question, model: str, take: Callable[[list[Any]], tuple[ItemsT, int]]
    ) -> tuple[ItemsT, int]:
        budget = first_budget(question, self._ceiling)
        try:
            try:
                return self._try(question, model, budget, take)
            except BadAnswer as cut:
                if cut.failure != "truncation":
                    raise
                return self._try_larger(question, model, budget, take, cut)
        except ProviderError as error:
            raise NoAnswer(str(error)) from error
        except BadAnswer as error:
            raise NoAnswer(f"The model {model} {error}.{_stopped(error)}") from error

    def _try_larger(
        self,
        question: Question,
        model: str,
        budget: int,
        take: Callable[[list[Any]], tuple[ItemsT, int]],
        cut: BadAnswer,
    ) -> tuple[ItemsT, int]:
        larger = min(2 * budget, self._ceiling)
        retried = larger > budget
        succeeded = False
        try:
            if not retried:
                raise cut
            found = self._try(question, model, larger, take)
            succeeded = True
            return found
        finally:
            self._telemetry.emit(
                "extraction_truncated",
                model=model,
                chunk_len_bytes=question.data_bytes,
                initial_max_tokens=budget,
                retry_succeeded=succeeded,
                chunk_key=question.about,
            )

    def _try(
        self, question: Question, model: str, budget: int, take: Callable[[list[Any]], tuple[ItemsT, int]]
    ) -> tuple[ItemsT, int]:
        request = Request(
            self._dialect.request(question, model, budget),
            question.call,
            self._dialect.provider,
            model,
            budget,
            question.about,
        )
        usages: list[Usage] = []

        def read(reply: Reply) -> tuple[ItemsT, int]:
            try:
                answer = self._dialect.read(question, reply.body)
            except BadAnswer as bad:
                usages.extend([bad.usage] if reply.paid else [])
                raise
            usages.extend([answer.usage] if reply.paid else [])
            if answer.items is None:
                raise BadAnswer("truncation", _cut_off(budget, self._ceiling), answer.finish_reason, answer.usage)
            found, dropped = take(answer.items)
            outcome = "salvaged" if dropped else "recovered" if answer.recovered else "clean"
            self._parsed(question, model, outcome)
            return found, dropped

        try:
            return self._exchange.ask(request, read)
        except BadAnswer as bad:
            self._failed(question, model, budget, bad)
            raise
        except ProviderError as error:
            if error.status is not None:
                unread = 200 <= error.status < 300
                self._failed(question, model, budget, BadAnswer("malformed" if unread else "http_error", str(error)))
            raise
        finally:
            if usages:
                self._used(question, model, usages[-1])

    def _used(self, question: Question, model: str, usage: Usage) -> None:
        self._telemetry.emit(
            "token_usage",
            role=ROLES[question.call],
            model=model,
            input_tokens=usage.input_tokens,
            output_tokens=usage.output_tokens,
            cache_read_tokens=usage.cache_read_tokens,
            cache_creation_tokens=usage.cache_creation_tokens,
            estimated_cost_usd=self._prices.cost(model, usage),
        )

    def _parsed(self, question: Question, model: str, outcome: str) -> None:
        self._telemetry.emit("structured_output_parse", model=model, call_type=question.call, outcome=outcome)

    def _failed(self, question: Question, model: str, budget: int, bad: BadAnswer) -> None:
        if bad.failure in ("malformed", "schema_invalid"):
            self._parsed(question, model, bad.failure)
        self._telemetry.emit(
            "extraction_failure",
            model=model,
            call_type=question.call,
            chunk_key=question.about,
            classification=bad.failure,
            finish_reason=bad.finish_reason,
            completion_tokens=bad.usage.output_tokens,
            max_tokens=budget,
        )


def _stopped(error: BadAnswer) -> str:
    """Return why the model stopped, where that may explain a bad answer; the word is the provider's."""
    reason = "".join(char for char in (error.finish_reason or "")[:40] if char.isprintable())
    return "" if not reason or error.failure == "truncation" else f" It says why it stopped: {reason!r}."


def _cut_off(budget: int, ceiling: int) -> str:
    remedy = "Send the text in smaller chunks"
    if budget >= ceiling:
        remedy += ", or raise LCG_EXTRACTION_MAX_TOKENS_CEILING"
    return f"used up its {budget:,} tokens before its answer was complete. {remedy}"
