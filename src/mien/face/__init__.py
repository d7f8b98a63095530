"""What a face is, and how speech moves it."""

from mien.face.animator import Animator
from mien.face.pose import ARKIT_NAMES, FacePose, FaceTrack

__all__ = ["ARKIT_NAMES", "Animator", "FacePose", "FaceTrack"]
