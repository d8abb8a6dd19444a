"""The adapter: a program behind an HTTP address, usually in front of a language model, that decides about pairs."""

from lcg.providers.dedup.protocol import Candidate, Incoming, JudgeError
from lcg.providers.endpoint import ProviderError
from lcg.providers.http import JsonClient


class AdapterJudge:
    """See `Judge`. One request for each pair."""

    def __init__(self, http: JsonClient) -> None:
        self._http = http

    def is_same(self, candidate: Candidate, incoming: Incoming) -> bool:
        """See `Judge`. An answer without a verdict means no."""
        body = {
            "candidate": {"uuid": candidate.uuid, "name": candidate.name, "summary": candidate.summary},
            "incoming": {
                "name": incoming.name,
                "entity_type": incoming.entity_type,
                "summary": incoming.summary,
            },
        }
        try:
            verdict = self._http.post(body).get("is_duplicate")
        except ProviderError as error:
            raise JudgeError(str(error)) from error
        if verdict is None:
            return False
        if not isinstance(verdict, bool):
            raise JudgeError(str(self._http.endpoint.failure("answered with an `is_duplicate` that is no boolean")))
        return verdict

    def close(self) -> None:
        """Give up what is on its way. Safe to call twice."""
        self._http.close()
