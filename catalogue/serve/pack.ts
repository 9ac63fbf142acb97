// The catalogue's prebuilt answers, and the data of its filters.
import { finder, once, type Read, readHead, type Span } from '../../shared/prebuilt/pack.ts'
import type { TypeName } from '../fixed-names.ts'
import type { ModuleTraits } from '../model.ts'
import type { ModuleInfo } from '../paraminfo/module-info.ts'
import type { CompactCatalogue } from '../validate/compact.ts'

/** A module's data for filters. `words` is in lower case; `summary` is its JSON in a plain list. */
export type Row = ModuleTraits & { parameters: string[]; types: TypeName[]; words: string; summary: string }

/**
 * `answers` are indexed by the path below `/catalogue/`, `lists` by their filters. The rest is JSON: `rows` for
 * filters, `compact` for the validator, `paraminfo` for MediaWiki's clients.
 */
export type PackHead = {
  version: string
  hash: string
  answers: Span
  lists: Span
  rows: Span
  compact: Span
  paraminfo: Span
}

/** Opens a pack. @param read reads a part of it */
export function openPack(read: Read) {
  const { version, hash, answers, lists, rows, compact, paraminfo } = readHead<PackHead>(read)
  return {
    version,
    /** Changes with any fact of the catalogue. */
    hash,
    find: finder(answers, read),
    findList: finder(lists, read),
    paths: once((): string[] => Object.keys(JSON.parse(read(...answers)))),
    rows: once(() => JSON.parse(read(...rows)) as Row[]),
    compact: () => JSON.parse(read(...compact)) as CompactCatalogue,
    paraminfo: () => JSON.parse(read(...paraminfo)) as ModuleInfo[],
  }
}

export type Pack = ReturnType<typeof openPack>
