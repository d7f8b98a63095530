"""What a face is, and how speech moves it."""

from mien.face.pose import ARKIT_NAMES, FacePose, FaceTrack

__all__ = ["ARKIT_NAMES", "FacePose", "FaceTrack"]
