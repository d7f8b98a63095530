"""Modules that export, and modules that depend on data."""

import torch


class Plain(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = torch.nn.Conv1d(4, 8, 3, padding=1)

    def forward(self, x):
        return torch.relu(self.conv(x))


class Branch(torch.nn.Module):
    def forward(self, x):
        if x.sum() > 0:
            return x
        return -x


class Turns(torch.nn.Module):
    def forward(self, x, n):
        for _ in range(int(n)):
            x = x * 2
        return x


class Mask(torch.nn.Module):
    def forward(self, x):
        return x[x > 0] * 2


class Size(torch.nn.Module):
    def forward(self, x):
        return torch.zeros(int(x.max().item())) + 1


class Broken(torch.nn.Module):
    def forward(self, x):
        return x @ torch.ones(7, 7)


def plain():
    return Plain(), {"x": torch.zeros(1, 4, 32)}, {"x": {2: torch.export.Dim("frames", min=2, max=512)}}


def branch():
    return Branch(), (torch.zeros(1, 4),)


def turns():
    return Turns(), (torch.zeros(1, 4), torch.tensor(3))


def mask():
    return Mask(), (torch.ones(1, 4),)


def size():
    return Size(), (torch.ones(1, 4),)


def broken():
    return Broken(), (torch.ones(1, 4),)


def nothing():
    return None
