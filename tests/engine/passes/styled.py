"""A block as vocoders have it: a normalisation with a style's scale and shift, Snake, a convolution."""

import numpy as np
from models import parse

NORM = """m = ReduceMean <axes = [2]> (x)
 d = Sub (x, m)
 q = Mul (d, d)
 v = ReduceMean <axes = [2]> (q)
 e = Add (v, eps)
 r = Sqrt (e)
 n = Div (d, r)"""
STYLED = f"""{NORM}
 g = Mul (s, n)
 h = Add (g, t)"""
SNAKE = f"""{STYLED}
 w = Mul (a, h)
 o = Sin (w)
 p = Pow (o, two)
 i = Mul (b, p)
 k = Add (h, i)
 y = Conv <kernel_shape = [3], pads = [1, 1]> (k, c)"""
WEIGHTS = (
    "float eps = {1e-5}, float two = {2}, float[1, 3, 1] a = {0.5, 1, 4}, float[1, 3, 1] b = {2, 1, 0.25},"
    "float[2, 3, 3] c = {1, 2, 3, 4, 5, 6, 7, 8, 9, 1, -2, 3, -4, 5, -6, 7, -8, 9}"
)
INPUTS = "float[1, 3, 20] x, float[1, 3, 1] s, float[1, 3, 1] t"
_draw = np.random.default_rng(3)
SAMPLE = {
    "x": _draw.standard_normal((1, 3, 20)).astype(np.float32),
    "s": np.array([[[1.5], [-2], [0.5]]], np.float32),
    "t": np.array([[[0.1], [0], [3]]], np.float32),
}


def block(body=SNAKE, weights=WEIGHTS, inputs=INPUTS, out="y", opset=17):
    return parse(body, inputs=inputs, outputs=f"float[a, b, z] {out}", weights=weights, opset=opset)
