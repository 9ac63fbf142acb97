import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseEnv } from 'node:util'
import * as v from 'valibot'
import { type Place, standingIn, unreadable } from './files.ts'
import { clashes, complaint, inCapitals, setting } from './setting.ts'
import { settingsTable } from './settings.ts'
import { closestTo, isFlag, nearNames } from './warnings.ts'

type Environment = Record<string, string | undefined>

const names = Object.keys(settingsTable) as (keyof typeof settingsTable)[]

/** Where the files of stages are: of the environment alone. */
export const stagesTable = {
  STAGES_DIR: setting(
    'stages/',
    'The folder with the files of stages, such as that of [your own repository](own-repository.md): absolute, or of the folder in which you stand. Unset: in this repository.',
    'a folder',
    v.string(),
  ),
}
const known = [...names, ...Object.keys(stagesTable)]

/**
 * Finds the settings of the stage in `STAGE`. Without `STAGE`, the stage is `dev`, with settings from the environment.
 * Any other stage has a file `<stage>.env` with all its settings: leftovers in the shell must not be deployed by mistake.
 *
 * @param usual the folder of these files where STAGES_DIR is unset
 */
export const findStage = (env: Environment, usual = join(import.meta.dirname, '../../stages')) => ({
  place: standingIn(env),
  ...findTexts(env, placeOfStages(env, usual)),
  /** A warning for each environment variable that is probably a mistyped setting. */
  warnings: nearNames(env, known),
})

function placeOfStages(env: Environment, usual: string): Place {
  const stated = inCapitals(env).get('STAGES_DIR')?.trim()
  const folder = stated ? resolve(standingIn(env).folder, stated) : usual
  return { folder, prefix: (stated || stagesTable.STAGES_DIR.fallback).replace(/\/*$/, '/'), isClosed: true }
}

interface Texts {
  texts: Environment
  complaints: string[]
  place?: Place
}

/** The texts of a stage's settings by name, unchecked, the complaints so far, and where a stage's paths lead from. */
function findTexts(env: Environment, place: Place): Texts {
  const { fallback: unnamed, schema } = settingsTable.STAGE
  const name = inCapitals(env).get('STAGE')?.trim() || unnamed
  // An invalid name is reported when the settings are read.
  if (!v.is(schema, name)) return { texts: env, complaints: [] }
  const { folder, prefix } = place
  const file = `${prefix}${name}.env`
  const stages = stagesIn(folder)
  if (typeof stages === 'string') return { texts: {}, complaints: [...clashes(env, known), stages] }
  const overlaps = overlapsOf(name, [...stages, unnamed])
  if (name === unnamed) {
    const unread = `${file} must not exist: the stage ${unnamed} takes its settings from the environment`
    return { texts: env, complaints: [...(stages.includes(name) ? [unread] : []), ...overlaps] }
  }
  if (!stages.includes(name)) {
    const there = stages.length > 0 ? stages.join(', ') : 'none is there'
    const missing = `STAGE must name a file in ${prefix} (${there}), not '${name}': there is no ${join(folder, `${name}.env`)}`
    return { texts: {}, complaints: [...clashes(env, known), missing] }
  }
  const stated = readStageFile(readFileSync(join(folder, `${name}.env`), 'utf8'), name, file)
  const texts = { ...stated.texts, STAGE: name }
  const complaints = [...stated.complaints, ...clashes(env, known), ...leftovers(texts, env, file), ...overlaps]
  return { texts, complaints, place }
}

/** The stages that have a file in a folder, or the complaint. */
function stagesIn(folder: string): string[] | string {
  try {
    return readdirSync(folder).flatMap(entry => /^(.+)\.env$/.exec(entry)?.[1] ?? [])
  } catch (error) {
    return `STAGES_DIR must be a folder, not '${folder}': ${unreadable(error, 'there is none')}`
  }
}

/**
 * A line for each stage that overlaps with a stage: policies match roles by the prefix `Gatehouse-<stage>-`, so those
 * of one would match roles of the other.
 */
const overlapsOf = (name: string, stages: readonly string[]): string[] =>
  stages.flatMap(other => {
    const [shorter = '', longer = ''] = [name, other].sort((a, b) => a.length - b.length)
    if (!longer.startsWith(`${shorter}-`)) return []
    const harm = `a deploy of ${shorter} could change the roles of ${longer}`
    return [`The stages ${shorter} and ${longer} overlap: ${harm}. Rename one`]
  })

/**
 * Parses a stage's file line by line. Given the whole file, `parseEnv` would skip invalid lines, cut values off, and
 * let the last of several values win. Some editors start a file with a byte order mark.
 */
function readStageFile(
  contents: string,
  stage: string,
  file: string,
): { texts: Record<string, string>; complaints: string[] } {
  const texts: Record<string, string> = {}
  const complaints: string[] = []
  const lines = contents.replace(/^\ufeff/, '').split(/\r?\n/)
  for (const [i, line] of lines.entries()) {
    const [[key, text = ''] = []] = Object.entries(parseEnv(line))
    const name = key?.toUpperCase()
    const wrong =
      name === undefined
        ? wrongLine(line)
        : (wrongName(name, texts) ?? wrongValue(line) ?? wrongStage(name, text, stage) ?? wrongFlag(name, text))
    if (wrong) complaints.push(`${file}, line ${i + 1}: ${wrong}`)
    else if (name !== undefined) texts[name] = text
  }
  return { texts, complaints }
}

const wrongLine = (line: string): string | null =>
  /^\s*(?:#|$)/.test(line) ? null : `'${line.trim()}' is not NAME=value`

function wrongName(name: string, before: object): string | null {
  if (Object.hasOwn(before, name)) return `${name} is set twice`
  if (Object.hasOwn(settingsTable, name)) return null
  const meant = closestTo(name, Object.keys(settingsTable))
  return `${name} is not a setting of a stage${meant ? `; did you mean ${meant}?` : ''}`
}

/** `parseEnv` drops text after a closing quote, and takes an unclosed opening quote for a character. */
function wrongValue(line: string): string | null {
  const value = line.slice(line.indexOf('=')).replace(/^=\s*/, '')
  const [quote] = /^["'`]/.exec(value) ?? []
  if (quote && !/^(["'`])(?:(?!\1).)*\1\s*(?:\s#.*)?$/.test(value)) {
    return `the value starts with ${quote} and must end at the next ${quote}`
  }
  const isCut = !quote && /^[^#]*[^\s#]#/.test(line)
  return isCut ? '# starts a comment here: quote the value, or put a space before the comment' : null
}

const wrongStage = (name: string, text: string, stage: string): string | null =>
  name === 'STAGE' && text.trim() !== stage ? `the file's name sets STAGE to '${stage}': remove this line` : null

/** On one machine another text counts as `false`, with a warning. A deployed stage refuses it: `yes` may be meant. */
const wrongFlag = (name: string, text: string): string | null =>
  name === 'REQUIRE_EMAIL_VERIFICATION' && !isFlag(text) ? complaint(settingsTable, name, text.trim()) : null

/** A text's meaning for comparison: `TRUE` equals `true`, but only `false` equals `false`. */
function meaningOf(name: keyof typeof settingsTable, text: string | undefined): string | undefined {
  const { success, output } = v.safeParse(settingsTable[name].schema, text?.trim())
  if (!success) return text?.trim()
  return typeof output === 'boolean' ? text?.trim().toLowerCase() : JSON.stringify(output)
}

/** A line for each setting whose environment value differs from the file. Empty values do not count. */
function leftovers(texts: Environment, env: Environment, file: string): string[] {
  const variables = inCapitals(env)
  return names.flatMap(name => {
    const text = variables.get(name)?.trim()
    if (!text || meaningOf(name, text) === meaningOf(name, texts[name])) return []
    // It may be a misplaced secret.
    const shown = (value: string) => ('isHidden' in settingsTable[name] ? '…' : value)
    const stated = texts[name] === undefined ? 'does not set it' : `sets it to '${shown(texts[name])}'`
    return [`${name} is '${shown(text)}' in the environment, but ${file} ${stated}: unset it, or change the file`]
  })
}
