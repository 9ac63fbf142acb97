/** Seconds of the units of an advance. */
export const units = { s: 1, m: 60, h: 3600, d: 86_400 } as const

/** Seconds in words: `1 d 1 h`. */
export function inWords(seconds: number): string {
  const parts = (['d', 'h', 'm', 's'] as const).map((unit, i, all) => {
    const larger = all[i - 1]
    const count = Math.floor((larger ? seconds % units[larger] : seconds) / units[unit])
    return count === 0 ? '' : `${count} ${unit}`
  })
  return parts.filter(part => part !== '').join(' ') || '0 s'
}
