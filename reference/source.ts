// The reference's sources: the OpenAPI document and the route table.
import { needsOf, rows } from '../api/needs.ts'
import type { OpenapiDocument } from '../api/openapi/document.ts'
import { type Operation, operations } from '../api/openapi/operations.ts'
import { functions } from '../api/routes.ts'
import { type ErrorCode, refusals } from '../shared/base/errors.ts'

/** A setting for operators: its default and its meaning. */
type SettingTexts = Record<string, { fallback: string; meaning: string }>

/** @throws {Error} for a row of the route table without a goal, which would be missing */
export function readSource(document: OpenapiDocument, settings: SettingTexts) {
  // Another spelling of a path is described beside the first.
  const told = operations.filter(({ path, row }) => path !== row.also)
  const entries = told.map(operation => {
    const { method, path, row, name, title } = operation
    const described = document.paths[path]?.[method.toLowerCase()]
    if (!described || !row.goal) throw new Error(`${name} needs a goal, or it has no place in the reference`)
    const isAlone = told.filter(other => other.title === title).length === 1
    return {
      operation,
      described,
      /** Its summary, with the method if another operation has the same. */
      title: isAlone ? title : `${title} (${method})`,
      goal: row.goal,
      /** The settings that change its behaviour, including the worker's if it sends mail. */
      settings: settingsOf(operation).filter(name => name in settings),
    }
  })
  const read = new Set(entries.flatMap(({ settings }) => settings))
  return {
    document,
    entries,
    settings: Object.fromEntries(Object.entries(settings).filter(([name]) => read.has(name))),
    /** The ids of all named places. */
    anchors: new Map<string, string>([
      ...[...read].map(name => [name, `setting-${name}`] as const),
      ...Object.keys(document.components.schemas).map(name => [name, `shape-${name}`] as const),
      ...codes.map(code => [code, `code-${code}`] as const),
      ...entries.map(({ operation: { name } }) => [name, name] as const),
    ]),
  }
}

export type Source = ReturnType<typeof readSource>
/** An operation of the route table with its description. */
export type Entry = Source['entries'][number]

export const codes = Object.keys(refusals) as ErrorCode[]

function settingsOf({ row }: Operation): readonly string[] {
  const own = needsOf(row.function ? rows[row.function] : row).settings
  const mails = 'MailQueue' in (row.may ?? {}) ? functions['on-mail-queued'].settings : []
  return [...new Set([...own, ...mails])].sort()
}

/** The component of a reference; other values unchanged. */
export function resolve<T>({ document }: Source, value: T | { $ref: string }): T {
  if (typeof value !== 'object' || value === null || !('$ref' in value)) return value as T
  const [, ...path] = String(value.$ref).split('/')
  const found = path.reduce<unknown>((part, name) => (part as Record<string, unknown>)?.[name], document)
  if (found === undefined) throw new Error(`the document has no ${value.$ref}`)
  return resolve({ document } as Source, found as T)
}
