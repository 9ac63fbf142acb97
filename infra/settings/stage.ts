import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import * as v from 'valibot'
import { closestTo } from './near-names.ts'
import { inCapitals } from './setting.ts'
import { settingsTable } from './settings.ts'

/** The texts of a stage's settings by their names, unchecked, and a line for everything that is wrong with them. */
export interface Stage {
  texts: Record<string, string | undefined>
  complaints: string[]
}

type Environment = Record<string, string | undefined>

const stagesDirectory = join(import.meta.dirname, '../../stages')

/**
 * Finds the settings of the stage that `STAGE` names. Without it, the stage is `dev` and the environment states its
 * settings. Any other stage has a file that states them all: what the environment states besides was left in a shell,
 * and would be deployed by mistake.
 *
 * @param directory with a file `<stage>.env` for each stage
 */
export function findStage(env: Environment, directory = stagesDirectory): Stage {
  const { fallback: unnamed, schema } = settingsTable.STAGE
  const name = inCapitals(env).get('STAGE')?.trim() || unnamed
  // Refused with the rest of what is wrong, once it is read.
  if (!v.is(schema, name)) return { texts: env, complaints: [] }
  const file = `stages/${name}.env`
  const stages = readdirSync(directory).flatMap(entry => /^(.+)\.env$/.exec(entry)?.[1] ?? [])
  if (name === unnamed) {
    const unread = `${file} must not exist: the stage ${unnamed} takes its settings from the environment`
    return { texts: env, complaints: stages.includes(name) ? [unread] : [] }
  }
  if (!stages.includes(name)) {
    return { texts: {}, complaints: [`STAGE must name a file of stages/ (${stages.join(', ')}), not '${name}'`] }
  }
  const stated = readStageFile(readFileSync(join(directory, `${name}.env`), 'utf8'), file)
  const texts = { STAGE: name, ...stated.texts }
  return { texts, complaints: [...stated.complaints, ...leftovers(texts, env, file)] }
}

/**
 * Reads a stage's file line by line: the parser itself passes over lines that it does not understand, and lets the last
 * of several win.
 */
function readStageFile(contents: string, file: string): { texts: Record<string, string>; complaints: string[] } {
  const texts: Record<string, string> = {}
  const complaints: string[] = []
  for (const [i, line] of contents.split(/\r?\n/).entries()) {
    const [[given, text = ''] = []] = Object.entries(parseEnv(line))
    const name = given?.toUpperCase()
    const wrong = name === undefined ? wrongLine(line) : wrongName(name, texts)
    if (wrong) complaints.push(`${file}, line ${i + 1}: ${wrong}`)
    else if (name !== undefined) texts[name] = text
  }
  return { texts, complaints }
}

const wrongLine = (line: string): string | null =>
  /^\s*(?:#|$)/.test(line) ? null : `'${line.trim()}' is not NAME=value`

function wrongName(name: string, before: object): string | null {
  if (Object.hasOwn(before, name)) return `${name} is stated twice`
  if (Object.hasOwn(settingsTable, name)) return null
  const meant = closestTo(name, Object.keys(settingsTable))
  return `${name} is no setting of a stage${meant ? `; ${meant} is` : ''}`
}

/** A line for each setting that the environment does not state as the file does. Set but empty states nothing. */
function leftovers(texts: Environment, env: Environment, file: string): string[] {
  const given = inCapitals(env)
  return Object.keys(settingsTable).flatMap(name => {
    const text = given.get(name)?.trim()
    if (!text || text === texts[name]?.trim()) return []
    const stated = texts[name] === undefined ? 'does not state it' : `states '${texts[name]}'`
    return [`${name} is '${text}' in the environment, but ${file} ${stated}: unset it, or change the file`]
  })
}
