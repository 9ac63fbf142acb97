import {
  closeSync,
  fchmodSync,
  fsyncSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { fileAt, type Place, readListFile, strayed, unreadable } from '../../infra/settings/files.ts'
import { inCapitals, listFileOf } from '../../infra/settings/setting.ts'
import { settingsTable } from '../../infra/settings/settings.ts'
import { findStage } from '../../infra/settings/stage.ts'
import { localAddress } from '../../local/local-settings.ts'
import type { OptionValues } from './command.ts'
import { CommandError } from './failures.ts'
import { note } from './terminal.ts'

/** The settings that are lists. */
type ListName = 'OIDC_CLIENTS' | 'SIGN_IN_PROVIDERS'

/** The options of commands that change a list. */
export const toOption = {
  to: {
    type: 'string',
    value: 'FILE',
    meaning:
      'the file that gets the entry: clients.json, of the folder in which you stand, or with --stage of that of its file',
  },
} as const

/** A list, before it is changed. */
export interface FoundList {
  /** In JSON. */
  text: string
  /** The file that it stands in, as messages name it. */
  file: string | null
  /** The settings beside it, by name in capitals. */
  settings: ReadonlyMap<string, string>
  /** The file of the stage, as messages name it. */
  stageFile: string | null
}

/** The settings of a stage or of the environment, and where their paths lead from. @throws {CommandError} */
function findSettings(stage: string | undefined): Pick<FoundList, 'settings' | 'stageFile'> & { place: Place } {
  const { texts, complaints, place } = findStage({ ...process.env, ...(stage !== undefined && { STAGE: stage }) })
  const [missing] = complaints.filter(line => /^STAGE(?:S_DIR)? /.test(line))
  if (missing !== undefined) throw new CommandError(missing, 2)
  const stageFile = stage === undefined ? null : `${place.prefix}${stage}.env`
  return { settings: inCapitals(texts), place, stageFile }
}

/**
 * The list that a setting has in a stage, or in the environment.
 *
 * @param fallback the list where the setting is unset
 * @throws {CommandError}
 */
export function findList(name: ListName, stage: string | undefined, fallback: (stage: string) => string): FoundList {
  const { settings, place, stageFile } = findSettings(stage)
  const stated = settings.get(name)?.trim() || fallback(settings.get('STAGE')?.trim() || 'dev')
  const list = listFileOf(settingsTable[name], stated, place)
  if (list && 'wrong' in list) throw new CommandError(`${name} is not valid: ${list.wrong}`)
  return { text: list?.text ?? stated, file: list?.file ?? null, settings, stageFile }
}

/** This service's address, as far as its settings say. */
export function addressOf(settings: FoundList['settings'], stage: string | undefined): string {
  const domain = settings.get('API_DOMAIN')?.trim()
  if (domain) return `https://${domain}`
  if (stage !== undefined) return '<BaseUrl, an output of the stack>'
  return settings.get('BASE_URL')?.trim() || localAddress(settings)
}

/** What stands above a changed setting. */
export const headingOf = ({ file, stageFile }: FoundList): string =>
  file === null
    ? `The setting${stageFile === null ? '' : `, in ${stageFile}`}:`
    : `The setting, which stands in ${file} (--to writes it there):`

type Options = OptionValues<typeof toOption & { stage: { type: 'string'; meaning: string } }>

/**
 * Changes a list: in the file of `--to`, which is made where there is none, or as the setting that is then printed.
 *
 * @param change gives the entries of the new list
 * @returns what it gave
 * @throws {CommandError}
 */
export function changeList<T extends { entries: readonly object[] }>(
  name: ListName,
  { to, stage }: Options,
  fallback: (stage: string) => string,
  change: (list: FoundList) => T,
): T {
  if (to === undefined) return change(findList(name, stage, fallback))
  const { settings, place, stageFile } = findSettings(stage)
  const file = `${place.prefix}${to}`
  try {
    const found = fileAt(to, place)
    if (found === null) throw new CommandError(`${file}: ${strayed(place)}`, 2)
    const stats = statSync(found, { throwIfNoEntry: false })
    // A link stays one.
    const path = stats ? realpathSync(found) : found
    const changed = writeAside(path, file, stats?.mode, () => {
      const list = stats ? readListFile(to, place) : { text: '[]' }
      if ('wrong' in list) throw new CommandError(list.wrong)
      return change({ ...list, file, settings, stageFile })
    })
    if (settings.get(name)?.trim() !== `@${to}`) {
      note(`${file} is in use with ${name}=@${to}${stageFile === null ? '' : ` in ${stageFile}`}.`)
    }
    return changed
  } catch (error) {
    if (error instanceof CommandError || !(error instanceof Error && 'syscall' in error)) throw error
    throw new CommandError(`${file}: ${unreadable(error, 'there is no such folder')}`)
  }
}

/** Writes a list beside its file, and renames it: readers see the former list or the new one. The file beside it is a lock, too. */
function writeAside<T extends { entries: readonly object[] }>(
  path: string,
  file: string,
  mode: number | undefined,
  change: () => T,
): T {
  const aside = `${path}.part`
  const handle = openAside(aside, file)
  try {
    const changed = change()
    writeFileSync(handle, `${JSON.stringify(changed.entries, null, 2)}\n`)
    if (mode !== undefined) fchmodSync(handle, mode)
    fsyncSync(handle)
    renameSync(aside, path)
    return changed
  } catch (error) {
    rmSync(aside)
    throw error
  } finally {
    closeSync(handle)
  }
}

function openAside(aside: string, file: string): number {
  try {
    return openSync(aside, 'wx')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    throw new CommandError(
      `${file}.part exists already: another command writes it, or was killed. Remove it, if it was`,
    )
  }
}
