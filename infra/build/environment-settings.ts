/** Where a setting of the SDK's clients may stand, as far as it is read here. */
interface Selectors<T> {
  environmentVariableSelector(
    env: NodeJS.ProcessEnv,
    options: { signingName?: string; logger?: unknown },
  ): T | undefined
  default: T | (() => T | Promise<T>)
}

/**
 * Stands in for the SDK's chain of places to look for a setting: a function has no ~/.aws, and is told everything by its
 * environment. The chain has an error made, with its stack, wherever it finds nothing: twice for each of some fifteen
 * settings of each client.
 */
export function loadConfig<T>(
  { environmentVariableSelector, default: otherwise }: Selectors<T>,
  options: { signingName?: string; logger?: unknown } = {},
): () => Promise<T> {
  let value: Promise<T> | undefined
  async function read(): Promise<T> {
    try {
      const found = environmentVariableSelector(process.env, options)
      if (found !== undefined) return found
    } catch {
      // As in the chain, what cannot be read counts as not there.
    }
    return otherwise instanceof Function ? otherwise() : otherwise
  }
  return () => {
    value ??= read()
    return value
  }
}
