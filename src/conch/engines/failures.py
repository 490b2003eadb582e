"""What went wrong at a provider, in words a person can act on.

A provider's own message is never passed on: it may repeat a part of the key or of the words sent.
"""

from __future__ import annotations

from conch.engines.engine import EngineFailed, FailureKind, Usage

_KEPT = "What you wrote is kept."


def failure_of(error: BaseException, engine_name: str, model: str = "") -> EngineFailed:
    """The `EngineFailed` that says what `error`, raised while asking a model, means.

    `cost_usd` of the result is 0.0 where nothing can have been billed and None where it may have.
    """
    if isinstance(error, EngineFailed):
        return error
    kind, what, do, billed = _meaning(error, engine_name)
    return EngineFailed(
        kind,
        what,
        _KEPT,
        do,
        before_any_answer=not _had_begun(error),
        usage=Usage(),
        model=model or str(getattr(error, "model_name", "") or ""),
        cost_usd=None if billed else 0.0,
        retry_after_s=getattr(error, "retry_after", None),
    )


def _meaning(error: BaseException, name: str) -> tuple[FailureKind, str, str, bool]:
    """Its kind, what happened, what to do, and whether it may have been billed."""
    from pydantic_ai import exceptions as ai

    in_stream = _in_stream(error)
    match error:
        case ai.ModelAuthenticationError():
            return "auth", f"{name} does not accept the key.", "Connect it again.", False
        case ai.ModelQuotaExceededError():
            return "limit", f"The credit or quota at {name} is used up.", "Top it up there.", False
        case ai.ModelRateLimitError():
            wait = _wait(error.retry_after)
            return "limit", f"{name} is at its rate limit.", f"Try again {wait}.", in_stream
        case ai.ModelAPIError() if is_too_long(error):
            what = f"This was more than the model of {name} can read at once."
            return "refused", what, "Use a model with a larger window, or a new chat.", False
        case ai.ModelNotFoundError():
            what = f"{name} does not know this model, or its address is wrong."
            return "refused", what, "Choose another model or check the address.", False
        case ai.ModelRequestTimeout() | ai.ModelTimeoutError() | TimeoutError():
            return "timeout", f"{name} took too long to answer.", "Try again.", True
        case ai.ModelConnectionError(phase="connect" | "pool"):
            return "no_connection", f"{name} can't be reached.", "Is it running, online?", False
        case ai.ModelConnectionError():
            return "no_answer", f"The connection to {name} broke off.", "Try again.", True
        case ai.ModelRequestRejectedError():
            return "refused", f"{name} would not take this request.", "Try another model.", False
        case ai.ModelHTTPError(status_code=status) if status >= 500:
            return "no_answer", f"{name} has trouble of its own.", "Try again later.", in_stream
        case ai.ModelAPIError():
            return "no_answer", f"{name} gave no answer.", "Try again later.", True
        case ai.ContentFilterError():
            return "refused", f"{name} would not answer this.", "Put it in other words.", True
        case ai.UnexpectedModelBehavior():
            what = f"{name} answered in a way that can't be read."
            return "unreadable", what, "Try again, or another model.", True
        case ai.UsageLimitExceeded():
            return "limit", "This turn took more steps than one turn may.", "Go on with it.", True
        case OSError():
            return "no_connection", f"{name} can't be reached.", "Is it running, online?", False
    return "no_answer", f"{name} gave no answer ({type(error).__name__}).", "Try again.", True


def is_too_long(error: BaseException) -> bool:
    """Whether a provider turned a request down because its window is too small for it."""
    from pydantic_ai.exceptions import ModelContextWindowExceededError

    # llama.cpp's own name for it.
    told = str(getattr(error, "provider_error_type", "") or "")
    return isinstance(error, ModelContextWindowExceededError) or told == "exceed_context_size_error"


def _had_begun(error: BaseException) -> bool:
    """Whether a part of an answer may have come before `error`."""
    from pydantic_ai import exceptions as ai

    if isinstance(error, ai.ModelTimeoutError):
        return False
    broke_off = isinstance(error, ai.ModelConnectionError) and error.phase in ("read", None)
    return broke_off or isinstance(error, ai.UnexpectedModelBehavior) or _in_stream(error)


def _in_stream(error: BaseException) -> bool:
    return bool(getattr(error, "in_stream", False))


def _wait(seconds: float | None) -> str:
    if seconds is None:
        return "in a while"
    return f"in {round(seconds)} seconds" if seconds < 120 else f"in {round(seconds / 60)} minutes"
