// Severity of statements and of whole recordings, in rising order (service specification, task status record;
// D63).

export const SEVERITIES = ['NONE', 'LOW', 'MODERATE', 'IMPORTANT', 'CRITICAL'] as const;

export type Severity = (typeof SEVERITIES)[number];

export const severityRank = (severity: Severity): number => SEVERITIES.indexOf(severity);

export function highestSeverity(severities: readonly Severity[]): Severity {
  return severities.reduce<Severity>(
    (highest, next) => (severityRank(next) > severityRank(highest) ? next : highest),
    'NONE',
  );
}
