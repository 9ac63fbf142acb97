// A map of bounded size.

type Recent<T> = { get(key: string): T | undefined; set(key: string, value: T): void; readonly size: number }

/** Keeps the last `count` values that were set. */
export function keepRecent<T>(count: number): Recent<T> {
  const values = new Map<string, T>()
  return {
    get: key => values.get(key),
    set(key, value) {
      values.delete(key)
      values.set(key, value)
      const [oldest] = values.keys()
      if (values.size > count && oldest !== undefined) values.delete(oldest)
    },
    get size() {
      return values.size
    },
  }
}
