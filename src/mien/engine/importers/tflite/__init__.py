"""TFLite files (MediaPipe's face models) as ONNX, in float32."""

from mien.engine.importers.tflite.convert import convert

__all__ = ["convert"]
