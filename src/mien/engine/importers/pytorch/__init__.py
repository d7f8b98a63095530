"""PyTorch modules as ONNX, by `torch.export`; what depends on data is told with file and line first."""
