"""The network that marks P, QRS and T on one lead: its layers, and how its weights are written.

A 1-D U-Net (Ronneberger 2015) at 125 Hz: a lead of 250 samples a second goes in as pairs of samples, and comes out as
pairs of four scores (no wave, P, QRS, T). main/analysis/waves/wave-network.ts runs the same layers.
"""

import struct

import numpy
import torch
from torch import nn
from torch.nn import functional

CHANNELS = (12, 16, 24, 32)
WIDTHS = (7, 5, 5, 7)
CLASSES = 4


class Layer(nn.Module):
    """Convolution, batch norm, ReLU; the batch norm is folded into the convolution when weights are written."""

    def __init__(self, inputs, outputs, width):
        super().__init__()
        self.convolution = nn.Conv1d(inputs, outputs, width, padding=width // 2)
        self.norm = nn.BatchNorm1d(outputs)

    def forward(self, x):
        return functional.relu(self.norm(self.convolution(x)))

    def folded(self):
        """Weights as [tap][input][output], and one offset an output."""
        scale = (self.norm.weight / torch.sqrt(self.norm.running_var + self.norm.eps)).detach()
        weights = self.convolution.weight.detach() * scale[:, None, None]
        offset = (self.convolution.bias.detach() - self.norm.running_mean) * scale + self.norm.bias.detach()
        return weights.permute(2, 1, 0), offset


class WaveNetwork(nn.Module):
    """Scores of shape [batch, 4, samples] from leads of shape [batch, samples]; samples in multiples of 16."""

    def __init__(self):
        super().__init__()
        down, up = [], []
        inputs = 2
        for channels, width in zip(CHANNELS, WIDTHS):
            down.append(nn.ModuleList([Layer(inputs, channels, width), Layer(channels, channels, width)]))
            inputs = channels
        for level in range(len(CHANNELS) - 2, -1, -1):
            channels, width = CHANNELS[level], WIDTHS[level]
            up.append(nn.ModuleList([Layer(CHANNELS[level + 1] + channels, channels, width), Layer(channels, channels, width)]))
        self.down = nn.ModuleList(down)
        self.up = nn.ModuleList(up)
        self.head = nn.Conv1d(CHANNELS[0], 2 * CLASSES, 1)

    def forward(self, leads):
        batch, samples = leads.shape
        x = leads.reshape(batch, samples // 2, 2).transpose(1, 2)
        kept = []
        for level, (first, second) in enumerate(self.down):
            if level > 0:
                x = functional.max_pool1d(x, 2)
            x = second(first(x))
            kept.append(x)
        for skip, (first, second) in zip(reversed(kept[:-1]), self.up):
            x = torch.repeat_interleave(x, 2, dim=2)
            x = second(first(torch.cat([x, skip], dim=1)))
        pairs = self.head(x)
        return pairs.reshape(batch, 2, CLASSES, samples // 2).permute(0, 2, 3, 1).reshape(batch, CLASSES, samples)

    def layers(self):
        """All convolutions in the order in which they are applied, as (weights, offsets)."""
        for first, second in [*self.down, *self.up]:
            yield first.folded()
            yield second.folded()
        yield self.head.weight.detach().permute(2, 1, 0), self.head.bias.detach()


def write_weights(network, path):
    """Layer after layer: its largest weight as float32, its weights as int16 parts of that, its offsets as float32."""
    out = bytearray()
    for weights, offsets in network.layers():
        values = numpy.frombuffer(weights.contiguous().numpy().tobytes(), dtype="<f4")
        largest = float(numpy.abs(values).max())
        out += struct.pack("<f", largest)
        out += numpy.round(values / largest * 32767).astype("<i2").tobytes()
        out += offsets.contiguous().numpy().astype("<f4").tobytes()
        out += bytes(-len(out) % 4)
    with open(path, "wb") as file:
        file.write(bytes(out))
