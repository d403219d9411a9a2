"""Previews for ranger's preview_images_method, and the command :halftone, both by halftone."""
import subprocess
import tempfile

from ranger.api.commands import Command
from ranger.core.shared import FileManagerAware
from ranger.ext.img_display import ImageDisplayer, register_image_displayer


@register_image_displayer("halftone")
class HalftoneDisplayer(ImageDisplayer, FileManagerAware):
    # ranger's own text has 256 pairs of colours at most, so pictures are written to the terminal beside it.
    def draw(self, path, start_x, start_y, width, height):
        subprocess.run(
            ["halftone", "--print", "--offline", "--size", f"{width}x{height}",
             "--place", f"{start_x},{start_y}", "--", path],
            stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)

    def clear(self, start_x, start_y, width, height):
        self.fm.ui.win.redrawwin()
        self.fm.ui.win.refresh()


class halftone(Command):
    """:halftone

    Choose among the pictures of this folder; the chosen ones are marked.
    """

    def execute(self):
        with tempfile.NamedTemporaryFile() as chosen:
            self.fm.execute_command(["halftone", "--choose-file", chosen.name, "--print0", "."])
            paths = chosen.read().decode(errors="surrogateescape").split("\0")
        for entry in self.fm.thisdir.files:
            if entry.path in paths:
                self.fm.thisdir.mark_item(entry, True)
