import * as v from 'valibot'

/** Times in files of accounts. */

const noTime = 'must be a time such as 2026-03-01T12:00:00Z or 2026-03-01 12:00:00+00'

/**
 * RFC 3339, or PostgreSQL's output (PostgreSQL manual, §8.5.2): a space before the hour, an offset without minutes. A time
 * without an offset is UTC. PostgreSQL's `infinity` is not a time.
 */
const timeForm = /^(\d{4}-\d\d-\d\d)[Tt ]((?:[01]\d|2[0-3]):\d\d:\d\d(?:\.\d+)?)([Zz]|[+-]\d\d(?::\d\d)?)?$/

/** `Date` takes February 30 for March 2. */
const isInCalendar = (day: string): boolean => {
  const midnight = new Date(`${day}T00:00:00Z`)
  return !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(day)
}

/** A time of any year. */
export const AnyTime = v.pipe(
  v.string(noTime),
  v.regex(timeForm, noTime),
  v.check(text => isInCalendar(text.slice(0, 10)), 'is of a day that is not in the calendar'),
  v.transform(text => {
    const [, day, hour, offset = 'Z'] = timeForm.exec(text) ?? []
    return new Date(`${day}T${hour}${/^.\d\d$/.test(offset) ? `${offset}:00` : offset}`)
  }),
  v.date(noTime),
)

/** In milliseconds. The table's clock is known to a second (RFC 9110 §5.6.7): what a command dates may be that far ahead. */
export const clockStep = 1000

export const Time = v.pipe(
  AnyTime,
  v.check(time => time.getTime() >= 0 && time.getTime() <= Date.now() + clockStep, 'must be a time from 1970 to now'),
)
