/** Days as "2026-11-23", in UTC. */

const DAY = 86_400_000;

/** The day so many days later, or earlier. */
export function daysLater(day: string, number: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + number * DAY).toISOString().slice(0, 10);
}

/** Whole weeks from Monday to Sunday, the last one with this day; so many of them. */
export function weeksUntil(day: string, weeks: number): string[] {
  const weekday = (new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7;
  const first = daysLater(day, -weekday - 7 * (weeks - 1));
  return Array.from({ length: 7 * weeks }, (_, index) => daysLater(first, index));
}

/** "Monday, 23 November 2026". */
export function longDay(day: string, language: string): string {
  const format = new Intl.DateTimeFormat(language === "en" ? "en-GB" : language, {
    dateStyle: "full",
    timeZone: "UTC",
  });
  return format.format(new Date(`${day}T00:00:00Z`));
}
