// Civil dates and times: which days exist, how they are written for people, and what the clock shows in a
// zone.

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/**
 * Milliseconds since 1970 of the beginning of a day that exists, read as UTC. `Date` alone turns 30 February
 * into 2 March.
 */
export function civilDateMs(year: number, month: number, day: number): number | undefined {
  const ms = Date.UTC(year, month - 1, day);
  const date = new Date(ms);
  const exists =
    date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return exists ? ms : undefined;
}

/** 1 … 12 for a month's three English letters in any case; 0 for anything else. */
export const monthOfLetters = (letters: string): number =>
  MONTHS.findIndex((month) => month.toLowerCase() === letters.toLowerCase()) + 1;

export const monthLetters = (month: number): string => MONTHS[month - 1] ?? String(month);

/**
 * `1951-03-14` → `14 Mar 1951`: the month in letters, so that no one reads it the wrong way round.
 * @param months in another language, from January on
 */
export function letterDate(isoDate: string, months: readonly string[] = MONTHS): string {
  const [year = '', month = '', day = ''] = isoDate.slice(0, 10).split('-');
  return `${day} ${months[Number(month) - 1] ?? month} ${year}`;
}

export interface ZonedTime {
  /** `1951-03-14` */
  readonly isoDay: string;
  /** `14 Mar 1951` */
  readonly day: string;
  /** `14:32:07` */
  readonly clock: string;
  /** `CET` */
  readonly zone: string;
}

/** What calendar and clock show at an instant in a zone; without one, in the zone of this computer. */
export function zonedTime(ms: number, timeZone?: string): ZonedTime {
  const parts = new Map(
    formatOf(timeZone)
      .formatToParts(new Date(ms))
      .map((part) => [part.type, part.value]),
  );
  const get = (type: Intl.DateTimeFormatPartTypes): string => parts.get(type) ?? '';
  const isoDay = `${get('year')}-${get('month')}-${get('day')}`;
  return {
    isoDay,
    day: letterDate(isoDay),
    clock: `${get('hour')}:${get('minute')}:${get('second')}`,
    zone: get('timeZoneName'),
  };
}

/** Making one costs more than a row of a list; there are few zones, but anybody may name one. */
const formats = new Map<string, Intl.DateTimeFormat>();
const MOST_FORMATS = 64;

function formatOf(timeZone: string | undefined): Intl.DateTimeFormat {
  // Without a name it is the zone of this computer, which may be set to another one while the program runs.
  const key = timeZone ?? `here ${new Date().getTimezoneOffset()}`;
  const known = formats.get(key);
  if (known !== undefined) return known;
  const made = new Intl.DateTimeFormat('en-GB', {
    ...(timeZone !== undefined && { timeZone }),
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
    timeZoneName: 'short',
  });
  if (formats.size >= MOST_FORMATS) formats.clear();
  formats.set(key, made);
  return made;
}

/** Full years from a date of birth (YYYY-MM-DD) to an instant, by the calendar in UTC. */
export function fullYears(birthDate: string, atMs: number): number {
  const [year = 0, month = 1, day = 1] = birthDate.split('-').map(Number);
  const at = new Date(atMs);
  const isBeforeBirthday =
    at.getUTCMonth() + 1 < month || (at.getUTCMonth() + 1 === month && at.getUTCDate() < day);
  return at.getUTCFullYear() - year - (isBeforeBirthday ? 1 : 0);
}
