// Below these the accuracy has become worse. They stand a little under what this version reaches, so that a
// change for the better need not touch them and one for the worse is seen.

export const FLOORS: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  'MIT-BIH DS1': {
    'QRS F1': 0.9985,
    'QRS F1, worst record': 0.99,
    'V Se': 0.965,
    'V +P': 0.975,
    'S Se': 0.55,
    'S +P': 0.75,
    'AF Se': 0.99,
    'AF +P': 0.955,
  },
  'CPSC 2021': { 'AF Se': 0.965, 'AF +P': 0.95 },
  CUDB: { 'VF Se': 0.92, 'VF +P': 0.92 },
  LUDB: { 'P Se': 0.97, 'P +P': 0.965, 'QRS Se': 0.99, 'QRS +P': 0.999, 'T Se': 0.985, 'T +P': 0.99 },
  QTDB: { 'P Se': 0.96, 'QRS Se': 0.995, 'T Se': 0.99 },
  'Twelve leads': {
    'LBBB Se': 0.84,
    'LBBB +P': 0.77,
    'RBBB Se': 0.9,
    'RBBB +P': 0.78,
    'IRBBB Se': 0.6,
    'IRBBB +P': 0.58,
    'LAFB Se': 0.72,
    'LAFB +P': 0.7,
    'AVB1 Se': 0.55,
    'AVB1 +P': 0.53,
    'AF Se': 0.84,
    'AF +P': 0.92,
    'Flutter Se': 0.4,
    'Flutter +P': 0.7,
    'AF or flutter Se': 0.84,
    'AF or flutter +P': 0.94,
    'PVC Se': 0.78,
    'PVC +P': 0.7,
    'PAC Se': 0.5,
    'PAC +P': 0.45,
    'LVH Se': 0.35,
    'LVH +P': 0.6,
    'Old MI Se': 0.48,
    'Old MI +P': 0.36,
    'Normal, nothing above LOW': 0.96,
    'Called normal, rightly': 0.94,
  },
};

/** Standard deviations around the marks and intervals of experts; of QTDB, means of those of its records. */
export const CEILINGS_MS: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  LUDB: {
    'P onset': 14.5,
    'P end': 13.2,
    'QRS onset': 10.5,
    'QRS end': 10.5,
    'T end': 23,
    qrsMs: 9.2,
    prMs: 5.5,
    qtMs: 12.5,
    pMs: 7.8,
  },
  QTDB: { 'P onset': 12.2, 'P end': 10.5, 'QRS onset': 6.9, 'QRS end': 7.7, 'T end': 16.3 },
};
