"""Strips of one lead at 250 Hz with their marks, from the development halves of the labelled databases.

Labels are one class a sample: 0 no wave, 1 P, 2 QRS, 3 T, 255 not known.
"""

import csv
import os
from collections import defaultdict

import numpy

RATE_HZ = 250
UNKNOWN = 255
FOLDS = 5
P, QRS, T = 1, 2, 3


def read_header(path):
    with open(path, encoding="latin-1") as file:
        lines = [line.split() for line in file if line.strip() and not line.startswith("#")]
    name, leads, rate, *_ = lines[0]
    return int(leads), float(rate.split("/")[0]), lines[1][0], lines[1][1]


def read_record(header):
    """Counts of shape [samples, leads], and the rate; WFDB format 16, also with the 24 bytes of a .mat before it."""
    leads, rate, file, form = read_header(header)
    skip = int(form.split("+")[1]) if "+" in form else 0
    with open(os.path.join(os.path.dirname(header), file), "rb") as data:
        values = numpy.frombuffer(data.read()[skip:], dtype="<i2")
    return values[: len(values) // leads * leads].reshape(-1, leads).astype(numpy.float32), rate


def at_rate(signal, rate):
    """As the analysis does it: means of whole steps where there are any, then between two samples."""
    step = max(1, int(rate // RATE_HZ))
    signal = signal[: len(signal) // step * step].reshape(-1, step).mean(axis=1)
    rate /= step
    if rate == RATE_HZ:
        return signal
    at = numpy.arange(int(len(signal) * RATE_HZ / rate)) * rate / RATE_HZ
    return numpy.interp(at, numpy.arange(len(signal)), signal).astype(numpy.float32)


def normalised(signal):
    """Freed of its mean over a second, in units of its standard deviation."""
    sums = numpy.concatenate([[0], numpy.cumsum(signal, dtype=numpy.float64)])
    index = numpy.arange(len(signal))
    low = numpy.maximum(0, index - RATE_HZ // 2)
    high = numpy.minimum(len(signal), index + RATE_HZ // 2 + 1)
    level = signal - (sums[high] - sums[low]) / (high - low)
    spread = level.std()
    return (level / (spread if spread > 0 else 1)).astype(numpy.float32)


def fold_of(names):
    """Every fifth record of a database, in the order of their names, is judged by the same fold."""
    return {name: index % FOLDS for index, name in enumerate(sorted(names))}


class Strip:
    def __init__(self, signal, labels, fold):
        self.signal, self.labels, self.fold = signal, labels, fold


def ludb(shelf):
    folder = os.path.join(shelf, "annotated", "ludb")
    marks = defaultdict(list)
    with open(os.path.join(folder, "annotations.csv")) as file:
        for row in csv.DictReader(file):
            marks[row["record"], row["lead"]].append(row)
    folds = fold_of({record for record, _ in marks})
    classes = {"P": P, "QRS": QRS, "T": T}
    for (record, lead), rows in marks.items():
        header = os.path.join(folder, f"{record}.hea")
        names = [line.split()[-1] for line in open(header) if ".dat" in line]
        counts, rate = read_record(header)
        signal = at_rate(counts[:, names.index(lead)], rate)
        labels = numpy.full(len(signal), UNKNOWN, numpy.uint8)
        rows.sort(key=lambda row: int(row["peak"]))
        edge = lambda text: (float(text) - 0.5) / 2
        known = [edge(row[key]) for row in rows for key in ("onset", "offset") if row[key] != ""]
        labels[int(round(min(known))) : int(round(max(known)))] = 0
        for row in rows:
            peak = int(row["peak"]) // 2
            if row["onset"] == "" or row["offset"] == "":
                labels[max(0, peak - 40) : peak + 60] = UNKNOWN
                continue
            labels[int(round(edge(row["onset"]))) : int(round(edge(row["offset"]))) + 1] = classes[row["wave"]]
        yield Strip(signal, labels, folds[record])


def beats_of(rows):
    """QTDB's marks as (class, onset, peak, end); onset or end is None where the expert gave none."""
    waves, onset = [], None
    for row in rows:
        sample, symbol = int(row["sample"]), row["symbol"]
        if symbol == "(":
            onset = sample
        elif symbol == ")":
            if waves and waves[-1][3] is None:
                waves[-1] = (*waves[-1][:3], sample)
            onset = None
        else:
            kind = {"p": P, "t": T, "u": None}.get(symbol, QRS)
            waves.append((kind, onset, sample, None))
            onset = None
    return waves


def qtdb(shelf):
    folder = os.path.join(shelf, "corpus", "qtdb")
    marks = defaultdict(list)
    with open(os.path.join(folder, "marks.csv")) as file:
        for row in csv.DictReader(file):
            if row["annotator"] == "q1c":
                marks[row["record"]].append(row)
    folds = fold_of(marks)
    for record, rows in marks.items():
        counts, rate = read_record(os.path.join(folder, f"{record}.hea"))
        waves = [wave for wave in beats_of(rows) if wave[0] is not None or wave[3] is not None]
        labels = numpy.full(len(counts), UNKNOWN, numpy.uint8)
        peaks = [wave[2] for wave in waves]
        for before, after in zip(peaks, peaks[1:]):
            # Farther from each other, beats between them were left out by the expert.
            if after - before < 1.2 * RATE_HZ:
                labels[before:after] = 0
        previous_end = 0
        for kind, onset, peak, end in waves:
            if kind is None or end is None or (onset is None and kind != T):
                labels[max(0, peak - 30) : peak + 40] = UNKNOWN
                continue
            if onset is None:
                labels[previous_end + 1 : peak] = UNKNOWN
            labels[peak if onset is None else onset : end + 1] = kind
            previous_end = end
        for lead in range(counts.shape[1]):
            yield Strip(at_rate(counts[:, lead], rate), labels, folds[record])


ATRIAL = {"AFIB", "AFLT", "AF", "AFL"}


def without_p(shelf):
    """Records in which no wave is a P: atrial fibrillation and flutter."""
    for database, column in (("ptbxl", "scp_codes"), ("ptbxl_unit", "scp_codes"), ("cinc2020", "abbr")):
        folder = os.path.join(shelf, "corpus", database)
        with open(os.path.join(folder, "labels.csv")) as file:
            rows = list(csv.DictReader(file))
        rows = [row for row in rows if row.get("strat_fold") not in ("9", "10")]
        rows = [row for row in rows if ATRIAL & {code.split(":")[0] for code in row[column].replace(";", " ").replace(",", " ").split()}]
        folds = fold_of(row["record"] for row in rows)
        for row in rows:
            counts, rate = read_record(os.path.join(folder, row["record"] + ".hea"))
            for lead in range(counts.shape[1]):
                yield Strip(at_rate(counts[:, lead], rate), None, folds[row["record"]])
