import { type Config, type ResourceVariable, readConfig, variable } from './config.ts'

/** A function's settings. Not in `live.ts`, so that a function with settings alone loads nothing else. */
export const settings: { config: Config } = { config: readConfig(process.env) }

/** A variable of the stack that is not a setting: its stage, or the name of a resource. */
export const stackVariable = (name: ResourceVariable): string => variable(process.env, name)
