"""What MkDocs does beside its own: links that leave docs/, and what readers of a page need not see.

On GitHub a page refers to pictures and sources by relative paths, as in `../screenshots/posing.png`. In the built book the
pictures lie within the book, and a source file is a link to the repository. A path that does not exist fails the build.
"""

import os
import posixpath
import re
from pathlib import Path

from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File
from mkdocs.structure.nav import Link

ROOT = Path(__file__).resolve().parent.parent
LINK = re.compile(r"(\]\(|src=\")((?:\.\./)+[^)\s\"#]*)(#[^)\s\"]*)?")
LESSON = re.compile(r"^`kinescope --lesson (\w+)`$", re.MULTILINE)
RUST = re.compile(r"^```rust[^\n]*\n(.*?)^```", re.MULTILINE | re.DOTALL)
# A line that rustdoc compiles and does not show.
HIDDEN = re.compile(r"^#(?: .*)?\n", re.MULTILINE)


def on_config(config):
    # `docs/versions` builds the books of released versions.
    if version := os.environ.get("KINESCOPE_VERSION"):
        config.site_name = f"{config.site_name} {version}"
    return config


def on_files(files, config):
    for path in sorted((ROOT / "screenshots").rglob("*")):
        if path.suffix in (".png", ".gif", ".svg"):
            files.append(File.generated(config, path.relative_to(ROOT).as_posix(), abs_src_path=str(path)))
    return files


def on_nav(nav, config, files):
    # Only the published site has the program, which `docs/build site` adds, and the books of other versions.
    if os.environ.get("KINESCOPE_SITE"):
        nav.items.insert(1, Link("Try it in the browser", "try/index.html"))
        nav.items.append(Link("Versions", "versions.html"))
    return nav


def on_page_markdown(markdown, page, config, files):
    folder = posixpath.dirname(page.file.src_uri)

    def link(match):
        start, path, anchor = match.groups()
        target = posixpath.normpath(posixpath.join("docs", folder, path))
        if target.startswith("docs/"):
            return match.group()
        if target.startswith("..") or not (ROOT / target).exists():
            raise PluginError(f"{page.file.src_uri}: {path} does not exist")
        if target.startswith("screenshots/"):
            return start + posixpath.relpath(target, folder or ".") + (anchor or "")
        return f"{start}{config.extra['repository']}/blob/main/{target}{anchor or ''}"

    if os.environ.get("KINESCOPE_SITE") and page.file.src_uri == "learn.md":
        # MkDocs does not know the program's page, so it would reject a link in Markdown.
        markdown = LESSON.sub(r'\g<0> or <a href="try/index.html?lesson=\1">in the browser</a>', markdown)
    markdown = LINK.sub(link, markdown)
    return RUST.sub(lambda match: HIDDEN.sub("", match.group()), markdown)
