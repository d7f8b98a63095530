"""Is a model file safe and sound? Everything that is wrong is found at once, before anything runs it."""

from mien.engine.validate.checks import validate, validate_model
from mien.engine.validate.finding import Finding, Severity, errors
from mien.engine.validate.limits import Limits
from mien.engine.validate.untrusted import validate_untrusted

__all__ = ["Finding", "Limits", "Severity", "errors", "validate", "validate_model", "validate_untrusted"]
