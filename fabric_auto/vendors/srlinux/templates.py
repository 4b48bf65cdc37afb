"""The Jinja2 environment of SR Linux: a project's own ``templates/`` first, then the shipped ones.

Project templates are data of a repository that others may propose changes to: they run in Jinja2's sandbox.
"""

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from traceback import walk_tb
from typing import Final

from jinja2 import (
    BaseLoader,
    ChoiceLoader,
    Environment,
    FileSystemLoader,
    StrictUndefined,
    TemplateError,
    TemplateSyntaxError,
)
from jinja2.sandbox import ImmutableSandboxedEnvironment

from fabric_auto.errors import FabricAutoError
from fabric_auto.resources import templates_dir

_SUFFIX: Final = ".j2"
_PLAIN: Final = (str, int, tuple, type(None))


class _Environment(ImmutableSandboxedEnvironment):
    """Jinja2's sandbox, without its full inspection of plain values: most of rendering is reading those."""

    def is_safe_attribute(self, obj: object, attr: str, value: object) -> bool:
        """Return True when a template may read this attribute."""
        if isinstance(value, _PLAIN) and not attr.startswith("_"):
            return True
        return super().is_safe_attribute(obj, attr, value)


@lru_cache(maxsize=16)
def environment(project_templates: Path | None) -> Environment:
    """Return the environment for a project's templates folder (None: shipped templates alone); each is compiled once.

    Undefined names are errors, output is escaped for XML, and block lines leave no blank lines behind.
    """
    folders = (project_templates, templates_dir())
    loaders: list[BaseLoader] = [FileSystemLoader(folder) for folder in folders if folder is not None]
    return _Environment(
        loader=ChoiceLoader(loaders),
        undefined=StrictUndefined,
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        auto_reload=False,
    )


def render_template(project_templates: Path | None, name: str, device: str, context: Mapping[str, object]) -> str:
    """Render a template for one device.

    Raises:
        FabricAutoError: a template is missing or wrong; names the template, the line and the device.
    """
    try:
        return environment(project_templates).get_template(name).render(context)
    except (TemplateError, TypeError, ValueError, LookupError, ArithmeticError, AttributeError) as error:
        raise FabricAutoError(
            f"{_where(error, name)} does not render for {device}: {error}",
            help="correct the template, or remove it from the project's templates/ to use the shipped one",
        ) from error


def _where(error: Exception, name: str) -> str:
    if isinstance(error, TemplateSyntaxError):
        return f"template {error.name or name}, line {error.lineno},"
    # Jinja2 rewrites the traceback so that frames inside a template have its file and line.
    frames = [(frame.f_code.co_filename, line) for frame, line in walk_tb(error.__traceback__)]
    inside = [(file, line) for file, line in frames if file.endswith(_SUFFIX)]
    return f"template {inside[-1][0]}, line {inside[-1][1]}," if inside else f"template {name}"
