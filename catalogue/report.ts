// The served report on a query, and the fields of its request.
//
// A schema and its type share a name. The schemas are for tests and tools: served code imports the types alone.
import * as v from 'valibot'
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
