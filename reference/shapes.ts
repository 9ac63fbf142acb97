import type { Schema } from '../api/openapi/schemas.ts'
import { html, join, type Markup } from '../shared/prebuilt/markup.ts'
import { breakable, prose } from './prose.ts'
import { resolve, type Source } from './source.ts'

/** A named value of a request or an answer: a member, a parameter or a header field. */
export interface Member {
  name: string
  schema: Schema
  isOptional: boolean
  description?: string | undefined
  /** A note below its name, such as a parameter's location. */
  note?: string
}

/** The members of a shape; empty if it has none of its own. */
export function membersOf(schema: Schema, source: Source): Member[] {
  const { properties = {}, required = [] } = resolve(source, schema) as Schema
  return Object.entries(properties).map(([name, member]) => ({
    name,
    schema: member as Schema,
    isOptional: !required.includes(name),
  }))
}

export function memberTable(caption: string, members: readonly Member[], source: Source): Markup | null {
  if (members.length === 0) return null
  const rows = members.map(member => memberRow(member, source))
  return writeTable(html`<caption>${caption}</caption>`, ['Name', 'Type', 'Meaning'], rows)
}

/** A caption for screen readers alone. */
export const unseen = (caption: string): Markup => html`<caption class="unseen">${caption}</caption>`

export const writeTable = (caption: Markup, columns: readonly string[], rows: readonly Markup[]): Markup =>
  html`<table>
    ${caption}
    <thead><tr>${columns.map(column => html`<th scope="col">${column}</th>`)}</tr></thead>
    <tbody>
    ${rows}
    </tbody>
    </table>`

function memberRow({ name, schema, isOptional, description, note }: Member, source: Source): Markup {
  const resolved = resolve(source, schema) as Schema
  const meaning = description ?? schema.description ?? resolved.description ?? ''
  return html`<tr><th scope="row"><code>${breakable(name)}</code>${isOptional ? html` <span class="badge">optional</span>` : null}
    ${note === undefined ? null : html`<span class="note">${note}</span>`}</th>
    <td>${typeOf(schema, source)}</td>
    <td>${prose(meaning, source)}</td></tr>`
}

const plurals: Record<string, string> = {
  string: 'strings',
  integer: 'integers',
  number: 'numbers',
  boolean: 'booleans',
  object: 'objects',
  array: 'lists',
}

/** Maximum listed values of an enumeration. */
const maxValues = 8

/** The values that a schema allows, in words. */
export function typeOf(schema: Schema, source: Source): Markup {
  if (schema.$ref !== undefined) return shapeLink(schema.$ref)
  const parts = (schema.anyOf ?? schema.oneOf) as Schema[] | undefined
  if (parts)
    return join(
      parts.map(part => typeOf(part, source)),
      ' or ',
    )
  if (schema.const !== undefined) return html`<code>${String(schema.const)}</code>`
  if (schema.enum) return valuesOf(schema.enum.map(String))
  const types = [schema.type ?? 'any'].flat().map(type => simpleType(type, schema, source))
  const limits = limitsOf(schema)
  return html`${join(types, ' or ')}${limits.length > 0 ? html`<span class="note">, ${limits.join(', ')}</span>` : null}`
}

function simpleType(type: string, { items, additionalProperties }: Schema, source: Source): Markup {
  if (type === 'array' && items) {
    const item = items as Schema
    const plural = typeof item.type === 'string' && !item.enum ? plurals[item.type] : undefined
    return html`list of ${plural === undefined ? typeOf(item, source) : html`${plural}`}`
  }
  if (type === 'object' && typeof additionalProperties === 'object') {
    return html`object, of each name: ${typeOf(additionalProperties as Schema, source)}`
  }
  return html`${type}`
}

function valuesOf(values: readonly string[]): Markup {
  const shown = values
    .slice(0, values.length > maxValues ? maxValues : undefined)
    .map(value => html`<code>${value}</code>`)
  const rest = values.length - shown.length
  return html`${join(shown, ', ')}${rest > 0 ? html` and ${rest} more` : null}`
}

/** Longer patterns do not help a reader. */
const longestPattern = 30

function limitsOf({ format, minLength, maxLength, minimum, maximum, pattern }: Schema): string[] {
  const length = rangeOf(minLength, maxLength)
  const range = rangeOf(minimum, maximum)
  return [
    // Secrets have telling names.
    ...(format && format !== 'password' ? [format] : []),
    ...(length ? [length === 'at least 1' ? 'not empty' : `${length} characters`] : []),
    ...(range ? [range] : []),
    ...(pattern && pattern.length <= longestPattern ? [`matches ${pattern}`] : []),
  ]
}

function rangeOf(least: number | undefined, greatest: number | undefined): string | null {
  if (least !== undefined && greatest !== undefined) return `${least} to ${greatest}`
  if (greatest !== undefined) return `at most ${greatest}`
  return least ? `at least ${least}` : null
}

const shapeName = (reference: string): string => reference.split('/').at(-1) ?? ''

function shapeLink(reference: string): Markup {
  const name = shapeName(reference)
  return html`<a href="#shape-${name}">${breakable(name)}</a>`
}

/** Every named shape. */
export function writeShapes(source: Source): Markup {
  const { schemas } = source.document.components
  return html`${Object.entries(schemas).map(([name, schema]) => {
    const members = membersOf(schema, source)
    return html`<section class="shape" id="shape-${name}" data-kind="shape">
      <h3><a class="anchor" href="#shape-${name}">${breakable(name)}</a></h3>
      ${schema.description ? html`<p>${prose(schema.description, source)}</p>` : null}
      ${members.length > 0 ? memberTable(`Members of ${name}`, members, source) : html`<p>${typeOf(schema, source)}</p>`}
      </section>`
  })}`
}
