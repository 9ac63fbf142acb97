// The served report on a query, and the fields of its request.
//
// A schema and its type share a name. The schemas are for tests and tools: served code imports the types alone.
import * as v from 'valibot'
import type { MeaningsOf } from '../shared/base/shapes.ts'
import { bases, type RuleName, rules, severities } from './validate/rules.ts'

const Count = v.pipe(v.number(), v.integer(), v.minValue(0))

/** Half-open, in UTF-16 units of the received text. */
const Span = v.tuple([Count, Count])

const RenameEdit = v.strictObject({ op: v.literal('rename'), from: v.string(), to: v.string() })
const RemoveEdit = v.strictObject({ op: v.literal('remove'), name: v.string() })
const ReplaceEdit = v.strictObject({ op: v.literal('replace'), name: v.string(), value: v.string() })
const AddEdit = v.strictObject({ op: v.literal('add'), name: v.string(), value: v.string() })

/**
 * A suggestion's change. Names and values are decoded text. `rename` and `remove` change all pairs of the name,
 * `replace` leaves one pair in the place of the first, and `add` appends.
 */
export const Edit = v.variant('op', [RenameEdit, RemoveEdit, ReplaceEdit, AddEdit])
export type Edit = v.InferOutput<typeof Edit>

/** `edits` are applied in order. `loses`: it drops something written instead of rewriting it. `choice`: one of several readings. */
export const Suggestion = v.strictObject({
  label: v.string(),
  edits: v.array(Edit),
  loses: v.exactOptional(v.literal(true)),
  choice: v.exactOptional(v.literal(true)),
})
export type Suggestion = v.InferOutput<typeof Suggestion>

/** The place of a finding's pair. */
const Spans = v.strictObject({ name: Span, value: Span })

/** `value` is absent for a secret; `span` is absent for something missing. */
export const Finding = v.strictObject({
  rule: v.picklist(Object.keys(rules) as RuleName[]),
  severity: v.picklist(severities),
  basis: v.picklist(bases),
  name: v.string(),
  value: v.exactOptional(v.string()),
  module: v.exactOptional(v.string()),
  parameter: v.exactOptional(v.string()),
  span: v.exactOptional(Spans),
  message: v.string(),
  suggestions: v.array(Suggestion),
})
export type Finding = v.InferOutput<typeof Finding>

/** A name whose value was not checked, or only in part. */
export const Unchecked = v.strictObject({ name: v.string(), reason: v.string() })
export type Unchecked = v.InferOutput<typeof Unchecked>

const FindingCounts = v.strictObject({ error: Count, warning: Count, notice: Count })

/** A queried module and its role. */
const ChosenModule = v.strictObject({ path: v.string(), role: v.picklist(['list', 'prop', 'meta', 'generator']) })

/** `truncated`: not all findings are listed. */
export const Report = v.strictObject({
  valid: v.boolean(),
  catalogue_version: v.string(),
  counts: FindingCounts,
  truncated: v.exactOptional(v.literal(true)),
  modules: v.array(ChosenModule),
  findings: v.array(Finding),
  unchecked: v.array(Unchecked),
  normalized: v.string(),
})
export type Report = v.InferOutput<typeof Report>

/** Other fields are refused. */
export const ValidationRequest = v.strictObject({
  query: v.pipe(v.string(), v.minLength(1)),
  limits: v.exactOptional(v.picklist(['normal', 'high', 'any'])),
})

/** Their parts by name, for the OpenAPI document. */
export const parts = {
  Span,
  RenameEdit,
  RemoveEdit,
  ReplaceEdit,
  AddEdit,
  Edit,
  Suggestion,
  Spans,
  Finding,
  Unchecked,
  FindingCounts,
  ChosenModule,
} as const

/** What the catalogue is told by. */
export const version = { catalogue_version: "The catalogue's version." }
export const modulePath = { path: '`query+` and its name.' }

const edit = { op: 'The kind of change.', name: 'The name, decoded.' }
const value = 'The value, decoded.'

/** What these are, and their members. */
export const meanings: MeaningsOf<
  { Report: typeof Report; ValidationRequest: typeof ValidationRequest } & typeof parts
> = {
  ValidationRequest: [
    'A query to check. Other fields are refused.',
    {
      query: 'The query, or a whole URL with one.',
      limits:
        'Whose limits hold: `normal` (50 values, a limit of 500), `high` (500 and 5000) or `any`, where what only `high` ' +
        'allows is a warning. Missing: `any`.',
    },
  ],
  Report: [
    'What is wrong with a query.',
    {
      valid: 'Whether nothing in it is an error.',
      ...version,
      truncated: 'True: there are more findings than are listed.',
      modules: 'The modules that the query asks.',
      findings: 'What is wrong, at most 200 findings.',
      unchecked: 'What was not judged.',
      normalized: 'The same query, written in one way.',
    },
  ],
  FindingCounts: [
    'How many findings there are, listed or not.',
    { error: 'What the API refuses or ignores.', warning: 'What works, but not well.', notice: 'What is redundant.' },
  ],
  ChosenModule: ['A module that a query asks.', { ...modulePath, role: 'As what the query asks it.' }],
  Finding: [
    'What is wrong, where, and what mends it.',
    {
      rule: 'The rule that finds it. Later versions may have more rules.',
      severity: 'How bad it is: the API refuses or ignores an `error`; a `warning` works; a `notice` is redundant.',
      basis: "The source of the rule: the catalogue, how MediaWiki behaves, or this service's own.",
      name: 'The name in the query that it is about.',
      value: 'Its value. Absent where it is a secret.',
      module: 'The path of the module that it is about.',
      parameter: 'The parameter that it is about, by its bare name.',
      message: 'What is wrong, for people.',
      suggestions: 'What would mend it, the best first.',
    },
  ],
  Spans: ['Where the pair of a finding stands. Absent where something is missing.'],
  Span: ['Beginning and end, in UTF-16 units of the query that was sent. The end is not part of it.'],
  Suggestion: [
    'What would mend a finding.',
    {
      label: 'The suggestion in words.',
      edits: 'The changes, to be made in their order.',
      loses: 'Present where it drops something that was written, instead of rewriting it.',
      choice: 'Present where what was written has several readings, and this is one.',
    },
  ],
  Edit: ['A change of a query.'],
  RenameEdit: [
    'Renames all pairs of a name.',
    { op: edit.op, from: 'The old name, decoded.', to: 'The new name, decoded.' },
  ],
  RemoveEdit: ['Removes all pairs of a name.', edit],
  ReplaceEdit: ['Leaves one pair of a name, with another value.', { ...edit, value }],
  AddEdit: ['Adds a pair at the end.', { ...edit, value }],
  Unchecked: ['A name whose value was not judged, or only in part.', { name: 'The name.', reason: 'Why.' }],
}
