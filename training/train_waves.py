"""Trains the network that marks waves, and writes its weights.

    python3 train_waves.py SHELF OUT [--fold K]

With --fold, the records of that fold are left out, so that they can judge it.
"""

import argparse
import math
import time

import numpy
import torch
from torch.nn import functional
from wave_data import P, QRS, RATE_HZ, UNKNOWN, ludb, normalised, qtdb, without_p
from wave_network import WaveNetwork, write_weights

SEED = 20261123
STEPS = 6000
WINDOW = 2048
WINDOWS = {"ludb": 10, "qtdb": 4, "without P": 2}
LEARNING_RATE = 3e-3
# Shares of the marked windows that are changed so.
LONGER_PR = 0.3
SPIKES = 0.1


def stretched(signal, labels, factor):
    """The same strip, slower or faster."""
    count = int(len(signal) * factor)
    at = numpy.arange(count) / factor
    nearest = numpy.minimum(numpy.round(at).astype(int), len(signal) - 1)
    return numpy.interp(at, numpy.arange(len(signal)), signal).astype(numpy.float32), None if labels is None else labels[nearest]


def disturbed(signal, random):
    """Wander, noise and mains hum, in units of the lead's standard deviation."""
    time_s = numpy.arange(len(signal)) / RATE_HZ
    out = signal.copy()
    if random.random() < 0.5:
        out += random.uniform(0, 0.3) * numpy.sin(2 * math.pi * (random.uniform(0.1, 1) * time_s + random.random()))
    if random.random() < 0.5:
        out += random.normal(0, random.uniform(0, 0.12), len(out))
    if random.random() < 0.15:
        hz = 50 if random.random() < 0.7 else 60
        out += random.uniform(0, 0.3) * numpy.sin(2 * math.pi * (hz * time_s + random.random()))
    return out


def runs_of(labels, kind):
    """[start, end) of each run of a class."""
    edges = numpy.flatnonzero(numpy.diff(numpy.concatenate([[0], (labels == kind).astype(numpy.int8), [0]])))
    return list(zip(edges[::2], edges[1::2]))


def with_longer_pr(signal, labels, random):
    """The same beats with P earlier, onto T and beyond: each P is lifted off its ground and laid down again."""
    signal, labels = signal.copy(), labels.copy()
    starts = [start for start, _ in runs_of(labels, QRS)]
    shift_s = random.uniform(0.02, 0.22)
    for start, end in runs_of(labels, P):
        following = [at for at in starts if end <= at < end + 0.3 * RATE_HZ]
        earlier = [at for at in starts if at < start]
        shift = int((shift_s + random.uniform(-0.01, 0.01)) * RATE_HZ)
        if not following or start - shift < (earlier[-1] + 0.14 * RATE_HZ if earlier else 0) or end - start < 8:
            continue
        ground = numpy.linspace(signal[start], signal[end - 1], end - start)
        wave = signal[start:end] - ground
        signal[start:end] = ground
        signal[start - shift : end - shift] += wave
        labels[start:end] = 0
        labels[start - shift : end - shift] = P
    return signal, labels


def with_spikes(signal, labels, random):
    """As a pacemaker makes them, shortly before each QRS."""
    signal = signal.copy()
    height = random.choice([-1, 1]) * random.uniform(0.5, 6) * signal.std()
    before = int(random.integers(3, 14))
    tail = random.uniform(0, 0.3) * numpy.exp(-numpy.arange(12) / random.uniform(1, 5))
    for start, _ in runs_of(labels, QRS):
        at = start - before
        if at < 0 or at + 12 > len(signal):
            continue
        signal[at] += height
        signal[at : at + 12] -= height * tail
    return signal


def window(strip, random):
    """A piece of a strip, changed in ways that leave its marks true; padded where the strip is shorter."""
    signal, labels = stretched(strip.signal, strip.labels, random.uniform(0.75, 1.3))
    if strip.labels is not None and len(signal) > WINDOW:
        known = numpy.flatnonzero(labels != UNKNOWN)
        start = int(numpy.clip(random.choice(known) - random.integers(WINDOW), 0, len(signal) - WINDOW))
    else:
        start = int(random.integers(max(1, len(signal) - WINDOW + 1)))
    signal = signal[start : start + WINDOW]
    labels = numpy.full(len(signal), UNKNOWN, numpy.uint8) if labels is None else labels[start : start + WINDOW]
    if strip.labels is not None and random.random() < LONGER_PR:
        signal, labels = with_longer_pr(signal, labels, random)
    if strip.labels is not None and random.random() < SPIKES:
        signal = with_spikes(signal, labels, random)
    signal = disturbed(normalised(signal), random)
    signal = normalised(signal) * random.uniform(0.6, 1.6)
    missing = WINDOW - len(signal)
    return (
        numpy.pad(signal, (0, missing)).astype(numpy.float32),
        numpy.pad(labels, (0, missing), constant_values=UNKNOWN),
        strip.labels is None,
    )


def loss_of(scores, labels, is_without_p):
    logs = functional.log_softmax(scores, dim=1)
    known = (labels != UNKNOWN).float()
    chosen = torch.where(labels == UNKNOWN, torch.zeros_like(labels), labels)
    marked = -(logs.gather(1, chosen[:, None]).squeeze(1) * known).sum() / known.sum().clamp(min=1)
    if not is_without_p.any():
        return marked
    p = logs[is_without_p, P].exp().clamp(max=1 - 1e-6)
    return marked + 0.15 * -torch.log1p(-p).mean()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("shelf")
    parser.add_argument("out")
    parser.add_argument("--fold", type=int)
    parser.add_argument("--steps", type=int, default=STEPS)
    given = parser.parse_args()
    torch.manual_seed(SEED)
    torch.set_num_threads(1)
    torch.use_deterministic_algorithms(True)
    random = numpy.random.default_rng(SEED)
    sets = {"ludb": list(ludb(given.shelf)), "qtdb": list(qtdb(given.shelf)), "without P": list(without_p(given.shelf))}
    sets = {name: [strip for strip in strips if strip.fold != given.fold] for name, strips in sets.items()}
    print({name: len(strips) for name, strips in sets.items()}, flush=True)
    network = WaveNetwork()
    print(sum(value.numel() for value in network.parameters()), "weights", flush=True)
    optimiser = torch.optim.Adam(network.parameters(), lr=LEARNING_RATE)
    began, total = time.time(), 0.0
    for step in range(given.steps):
        for group in optimiser.param_groups:
            group["lr"] = LEARNING_RATE * 0.5 * (1 + math.cos(math.pi * step / given.steps)) * min(1, (step + 1) / 100)
        chosen = [window(strips[random.integers(len(strips))], random) for name, strips in sets.items() for _ in range(WINDOWS[name])]
        as_tensor = lambda index, kind: torch.frombuffer(
            bytearray(b"".join(item[index].astype(kind).tobytes() for item in chosen)),
            dtype=torch.float32 if kind == "<f4" else torch.int64,
        ).reshape(len(chosen), WINDOW)
        is_without_p = torch.tensor([item[2] for item in chosen])
        loss = loss_of(network(as_tensor(0, "<f4")), as_tensor(1, "<i8"), is_without_p)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        total += loss.item()
        if (step + 1) % 200 == 0:
            print(f"{step + 1} {total / 200:.4f} {time.time() - began:.0f} s", flush=True)
            total = 0.0
    network.eval()
    write_weights(network, given.out)


main()
