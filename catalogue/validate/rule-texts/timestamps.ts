// The meant timestamps for malformed ones.
import { isTimestamp } from '../text/forms.ts'

/**
 * The timestamps that a text likely means: a `+` read as a space, a day or minute without the rest, a day in another
 * order, digits alone. If day and month are ambiguous, both readings.
 */
export function timestampsMeant(text: string): string[] {
  const trimmed = text.trim()
  if (/^\d+$/.test(trimmed)) return fromDigits(trimmed)
  const simple = [trimmed.replace(/ (\d{2}(?::?\d{2})?)$/, '+$1'), trimmed.toUpperCase(), trimmed.toLowerCase()]
  const meant = simple.find(candidate => candidate !== text && isTimestamp(candidate))
  if (meant !== undefined) return [meant]
  const [found, hour = '', minute = '', second = '00', half = '', offset = ''] = clock.exec(trimmed) ?? []
  const hours = (Number(hour) % (half ? 12 : 24)) + (/p/i.test(half) ? 12 : 0)
  const isTime = found === undefined || (Number(hour) < 25 && Number(minute) < 60 && Number(second) < 60)
  const time = found === undefined ? '00:00:00' : `${String(hours).padStart(2, '0')}:${minute}:${second}`
  const day =
    found === undefined
      ? trimmed
      : trimmed.replace(found, '').replace(/^[a-z]{3,9},\s*|\s*\(UTC\)$|^[,\s]+|[,T\s]+$/gi, '')
  const written = /^[+-]/.test(offset) ? offset : 'Z'
  return isTime ? daysMeant(day).map(each => `${each}T${time}${written}`) : []
}

/** A time of day, with optional seconds, half of the day and offset. */
const clock =
  /(?<!\d)(\d{1,2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?(?:\s*([ap])\.?m\.?)?\s*(Z|UTC|GMT|[+-]\d{2}(?::?\d{2})?)?/i

/** `2024`, `202412`, `20241220`, with the hour or the minute, or milliseconds since 1970. */
function fromDigits(text: string): string[] {
  const [, year = '', month = '01', day = '01', hour = '00', minute = '00'] =
    /^((?:19|20)\d\d)(\d\d)?(\d\d)?(\d\d)?(\d\d)?$/.exec(text) ?? []
  const date = dayOf(year, month, day)
  if (date !== null && Number(hour) < 24 && Number(minute) < 60) return [`${date}T${hour}:${minute}:00Z`]
  const isMilliseconds = text.length >= 12 && text.length <= 13
  return isMilliseconds ? [new Date(Number(text)).toISOString().replace(/\.\d+/, '')] : []
}

/** The possible days, as `YYYY-MM-DD`. */
function daysMeant(text: string): string[] {
  const [, one = '', other = '', year = ''] = /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4})$/.exec(text) ?? []
  if (year !== '') {
    const readings = [dayOf(year, one, other), dayOf(year, other, one)].filter(day => day !== null)
    // 31.1.2026: with points, days come before months everywhere.
    return [...new Set(text.includes('.') ? readings.slice(-1) : readings)]
  }
  const [iso, first = '', second = '', third = '1'] = /^(\d{4})[-/.](\d{1,2})(?:[-/.](\d{1,2}))?$/.exec(text) ?? []
  const day = iso === undefined ? fromWrittenMonth(text) : (dayOf(first, second, third) ?? dayOf(first, third, second))
  return day === null ? [] : [day]
}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

/** `31 January 2026` or `January 31, 2026`. */
function fromWrittenMonth(text: string): string | null {
  const [, before = '', name = '', after = '', year = ''] =
    /^(?:(\d{1,2})\.? )?([a-z]{3,9})\.?(?: (\d{1,2}),?)? (\d{4})$/i.exec(text) ?? []
  const month = months.indexOf(name.slice(0, 3).toLowerCase())
  return month < 0 ? null : dayOf(year, String(month + 1), before || after)
}

/** `YYYY-MM-DD`, or null for an impossible day. */
function dayOf(year: string, month: string, day: string): string | null {
  const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  const isDay = new Date(`${date}T00:00:00Z`).toJSON()?.startsWith(date)
  return isDay ? date : null
}
