// What is said of a signal that no patient was connected for, wherever it goes as text: in English, for other programs.

export const SIMULATED_SIGNAL = 'SIMULATED SIGNAL: not of a patient';
