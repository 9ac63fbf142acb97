/** How to find a setting of an SDK client, without the parts that are not used here. */
interface Selectors<T> {
  environmentVariableSelector(
    env: NodeJS.ProcessEnv,
    options: { signingName?: string; logger?: unknown },
  ): T | undefined
  default: T | (() => T | Promise<T>)
}

/**
 * Replaces the chain of sources in which the SDK looks for a setting: a function has no ~/.aws, so only the environment is
 * read. The chain also creates an error with its stack for each source that has no value: twice for each of some fifteen
 * settings of each client.
 */
export function loadConfig<T>(
  { environmentVariableSelector, default: fallback }: Selectors<T>,
  options: { signingName?: string; logger?: unknown } = {},
): () => Promise<T> {
  let value: Promise<T> | undefined
  async function read(): Promise<T> {
    try {
      const found = environmentVariableSelector(process.env, options)
      if (found !== undefined) return found
    } catch {
      // As in the chain, an invalid value counts as missing.
    }
    return fallback instanceof Function ? fallback() : fallback
  }
  return () => {
    value ??= read()
    return value
  }
}
