import { type Config, type ResourceVariable, readConfig, variable } from './config.ts'

/** A function's settings. Apart from `live.ts`, so that a function which needs nothing else loads nothing else. */
export const settings: { config: Config } = { config: readConfig(process.env) }

/** What the stack gives besides settings: its stage and the names of its resources. */
export const stackVariable = (name: ResourceVariable): string => variable(process.env, name)
