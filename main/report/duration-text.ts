// Lengths of time on paper: `1.0 s`, `2 min 24 s`, `1 h 30 min`.

import { DECIMAL_SIGNS, type Language } from '../../shared/language.ts';

export function durationText(seconds: number, language: Language): string {
  if (seconds < 60) return `${seconds.toFixed(1).replace('.', DECIMAL_SIGNS[language])} s`;
  const whole = Math.round(seconds);
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  return hours > 0 ? `${hours} h ${minutes} min` : `${minutes} min ${whole % 60} s`;
}
