"""Pictures → faces and their landmarks."""

from mien.vision.detector import Detection, FaceDetector
from mien.vision.landmarks import FaceLandmarks, Landmarks
from mien.vision.lids import EyeLids
from mien.vision.region import Region
from mien.vision.tracker import FaceTracker

__all__ = ["Detection", "EyeLids", "FaceDetector", "FaceLandmarks", "FaceTracker", "Landmarks", "Region"]
