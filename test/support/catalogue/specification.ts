// Parses the specification's text into facts. Text that is not understood is an error, never skipped.

import type { GroupName } from '../../../catalogue/fixed-names.ts'
import type { ModuleTraits, Parameter } from '../../../catalogue/model.ts'
import { type Context, readParameter, splitList, type ValueSet } from './specified-parameter.ts'

type SpecifiedModule = ModuleTraits & { parameters: Parameter[] }

export type Specification = {
  modules: SpecifiedModule[]
  values: Map<string, ValueSet>
  blocks: Map<string, Parameter[]>
  /** The names of modules whose line names the set, directly or through a block. */
  users: Map<string, string[]>
  types: Map<string, string>
  groups: { name: string; meaning: string }[]
  notShown: string[]
  /** The whole text, without backticks and line breaks. */
  plain: string
}

export function readSpecification(text: string): Specification {
  const setLines = linesOf(between(text, '### Shared sets', '### Modules'))
  const moduleLines = linesOf(between(text, '### Modules', '## 5.'))
  const types = new Map(
    [...between(text, '| Type | Meaning |', 'Notation:').matchAll(/^\| (.+?) \| (.+) \|$/gm)].map(row => [
      String(row[1]),
      String(row[2]),
    ]),
  )
  const values = readValueSets(setLines)
  const blocks = new Map<string, Parameter[]>()
  const context = { values, blocks, bounds: readBounds(text) }
  for (const line of setLines) {
    const block = line.match(/^(\w+BLOCK|PROPBACK) \(.*?\): (.*?)\.(?: embeddedin is the same without redirect\.)?$/)
    if (block) blocks.set(String(block[1]), readItems(String(block[2]), context))
  }
  const exceptions = String(text.match(/`readrights` on every module except (.+?);/)?.[1]).split('`')
  const plain = text.replaceAll('`', '').replaceAll(/\s+/g, ' ')
  const namers = (name: string, lines: string[]) =>
    lines.filter(line => new RegExp(`\\b${name}\\b`).test(line)).map(line => String(line.match(/^`?(\w+)/)?.[1]))
  const names = [...values.keys(), ...blocks.keys(), 'USERSUB']
  return {
    modules: moduleLines.map(line => readModule(line, exceptions, context)),
    values,
    blocks,
    users: new Map(
      names.map(name => {
        const within = namers(
          name,
          setLines.filter(line => !line.startsWith(name) && /^\w+(BLOCK|BACK) /.test(line)),
        )
        return [name, [...new Set([name, ...within].flatMap(each => namers(each, moduleLines)))]]
      }),
    ),
    types,
    groups: [
      ...String(text.match(/belongs to one group: (.*?)\. Each module has/)?.[1]).matchAll(/`(\w+)` \((.*?)\)/g),
    ].map(([, name, meaning]) => ({ name: String(name), meaning: String(meaning) })),
    notShown: text
      .split('\n')
      .filter(line => line.includes(': not shown'))
      .map(line => String(line.split(': not shown')[0]?.split('. ').at(-1)).replace(/^- /, '')),
    plain,
  }
}

type Blocks = Context & { blocks: Map<string, Parameter[]> }

function readBounds(text: string): Context['bounds'] {
  const limit = text.match(/minimum (\d+), maximum (\d+), highmax (\d+); default (\d+) unless/)
  const multi = text.match(/count limit of (\d+) values, or (\d+) for the high limit/)
  const [, min, max, highmax, usual] = (limit ?? []).map(Number)
  const [, value_limit, value_high_limit] = (multi ?? []).map(Number)
  return {
    limit: { min: Number(min), max: Number(max), highmax: Number(highmax), default: Number(usual) },
    multi: { value_limit: Number(value_limit), value_high_limit: Number(value_high_limit) },
  }
}

function readValueSets(lines: string[]): Specification['values'] {
  const sets: Specification['values'] = new Map()
  for (const line of lines) {
    for (const [, name, listed, usual] of line.matchAll(/(DIR\w): \{(.*?)\}=(\w+)\./g)) {
      sets.set(String(name), { values: splitList(String(listed)), deprecated: [], default: String(usual) })
    }
    const plain = line.match(/^(REVPROP|CF|GROUPS|RIGHTS|PROTOCOL)(?: \(content formats\))?: (.*)\.$/)
    if (!plain) continue
    const entries = splitList(String(plain[2]))
    const mark = ' (deprecated value)'
    const deprecated = entries.filter(entry => entry.endsWith(mark)).map(entry => entry.replace(mark, ''))
    sets.set(String(plain[1]), { values: entries.map(entry => entry.replace(mark, '')), deprecated })
  }
  return sets
}

function readModule(line: string, withoutReadrights: string[], context: Blocks): SpecifiedModule {
  const parts = line.match(
    /^`(\w+)` (list|prop|meta), (?:(?:prefix )?`(\w+)`|empty prefix)(, G)?(, module deprecated)?: (.*)\.$/,
  )
  if (!parts) throw new Error(`Not understood: ${line}`)
  const [, name = '', group, prefix = '', generator, deprecated, body = ''] = parts
  return {
    name,
    group: group as GroupName,
    prefix,
    generator: generator !== undefined,
    readrights: !withoutReadrights.includes(name),
    deprecated: deprecated !== undefined,
    parameters: readItems(body, context),
  }
}

/** Items between semicolons; an item may stand for a whole block. */
function readItems(body: string, context: Blocks): Parameter[] {
  const spelledOut = /^prop, slots, limit, .* \(all as (\w+)\)$/
  return splitAt(';', body)
    .flatMap(item => {
      const block = item.replace(spelledOut, '$1').match(/^(\w+BLOCK|PROPBACK)\b(.*)$/)
      if (!block) return [readParameter(item, context)]
      return readBlock(String(block[1]), String(block[2]).trim(), context)
    })
    .map((parameter, position) => ({ ...parameter, index: position + 1 }))
}

function readBlock(name: string, deviation: string, { blocks }: Blocks): Parameter[] {
  const parameters = blocks.get(name)
  if (!parameters) throw new Error(`Unknown block ${name}`)
  const change = (changed: string, facts: Partial<Parameter>) =>
    parameters.map(parameter => (parameter.name === changed ? { ...parameter, ...facts } : parameter))
  if (deviation === '') return parameters
  if (deviation === 'without redirect') return parameters.filter(parameter => parameter.name !== 'redirect')
  if (deviation === 'where limit is annotated singlepageonly')
    return change('limit', { conditions: [{ name: 'singlepageonly' }] })
  const usual = deviation.match(/^but namespace default (\d+) \(extra -2,-1\)$/)
  if (usual) return change('namespace', { default: Number(usual[1]) })
  throw new Error(`Not understood: ${name} ${deviation}`)
}

function between(text: string, start: string, end: string): string {
  const from = text.indexOf(start)
  const to = text.indexOf(end, from)
  if (from < 0 || to < 0) throw new Error(`The text has no part between ${start} and ${end}`)
  return text.slice(from + start.length, to)
}

function linesOf(text: string): string[] {
  return [...text.matchAll(/^- (.*)$/gm)].map(line => String(line[1]))
}

function splitAt(separator: string, text: string): string[] {
  return text.split(separator).map(part => part.trim())
}
