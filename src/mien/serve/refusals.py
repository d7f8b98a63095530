"""What a client is told when it asked for something that can not be."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel


class Fault(BaseModel):
    """What was wrong: OpenAI's error object."""

    type: str
    code: str
    message: str
    param: str | None


class Refusal(BaseModel):
    """The body of every answer that is an error."""

    error: Fault


class RefusedError(Exception):
    """A request that is refused, with the fields of OpenAI's error object."""

    def __init__(
        self,
        message: str,
        code: str = "invalid_value",
        param: str | None = None,
        kind: str = "invalid_request_error",
        status: int = 400,
    ) -> None:
        super().__init__(message)
        self.message, self.code, self.param, self.kind, self.status = message, code, param, kind, status

    def table(self) -> dict[str, Any]:
        """Return the error object."""
        return {"type": self.kind, "code": self.code, "message": self.message, "param": self.param}
