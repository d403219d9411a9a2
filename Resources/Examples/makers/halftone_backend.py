"""A matplotlib backend: plt.show() shows every open figure in Halftone's pane.

Put this file where Python finds modules, and set MPLBACKEND=module://halftone_backend.
"""
import os
import subprocess

from matplotlib.backend_bases import FigureManagerBase
from matplotlib.backends.backend_agg import FigureCanvasAgg

FOLDER = os.path.join(
    os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "halftone-figures")


class FigureManager(FigureManagerBase):
    def show(self):
        """Replaces the figure's last picture, which Halftone then draws anew, and selects it there."""
        os.makedirs(FOLDER, mode=0o700, exist_ok=True)
        path = os.path.join(FOLDER, f"{os.getpid()}-{self.num}.png")
        self.canvas.figure.savefig(path + ".part", format="png")
        os.replace(path + ".part", path)
        subprocess.run(["halftone", "--show", path], check=False)

    @classmethod
    def start_main_loop(cls):
        """Has nothing to wait for."""


class FigureCanvas(FigureCanvasAgg):
    manager_class = FigureManager
