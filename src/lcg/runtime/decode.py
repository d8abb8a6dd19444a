"""What generated decoders call: one helper for each kind of parameter.

Every helper takes the tool's name, the raw parameters and the parameter's name, and either returns a value of the
declared type or raises `InvalidParams`; nothing else ever escapes, whatever came in. Shared rules:

- null counts as absent, a text of white space only as "";
- nothing is widened: tolerance never turns one group into several, nor a mistyped name into a default.
"""

from lcg.runtime.decoding.collections import (
    lenient_object,
    optional_closed_object,
    optional_object,
    optional_strings,
    required_closed_object,
    required_object,
    required_strings,
)
from lcg.runtime.decoding.common import Raw, nearest, refuse_unknown
from lcg.runtime.decoding.groups import many_all, many_required, many_zero, one_default, one_or_all, one_required
from lcg.runtime.decoding.numbers import (
    optional_boolean,
    optional_integer,
    optional_number,
    required_boolean,
    required_integer,
    required_number,
)
from lcg.runtime.decoding.text import (
    optional_choice,
    optional_id,
    optional_name,
    optional_prose,
    optional_slug,
    optional_term,
    optional_time,
    required_choice,
    required_id,
    required_name,
    required_prose,
    required_slug,
    required_term,
    required_time,
)

__all__ = [
    "Raw",
    "lenient_object",
    "many_all",
    "many_required",
    "many_zero",
    "nearest",
    "one_default",
    "one_or_all",
    "one_required",
    "optional_boolean",
    "optional_choice",
    "optional_closed_object",
    "optional_id",
    "optional_integer",
    "optional_name",
    "optional_number",
    "optional_object",
    "optional_prose",
    "optional_slug",
    "optional_strings",
    "optional_term",
    "optional_time",
    "refuse_unknown",
    "required_boolean",
    "required_choice",
    "required_closed_object",
    "required_id",
    "required_integer",
    "required_name",
    "required_number",
    "required_object",
    "required_prose",
    "required_slug",
    "required_strings",
    "required_term",
    "required_time",
]
