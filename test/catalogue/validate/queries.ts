// Generated queries, for the properties of reports.
import fc from 'fast-check'
import { limitChoices } from '../../../catalogue/validate/finding.ts'
import { queryLevel } from '../../../catalogue/validate/knowledge.ts'
import { knowledge } from '../../support/catalogue/validate.ts'

const modules = [...knowledge.modules.values()]
const wires = [...knowledge.wires.values()]
export const oneOf = <T>(items: readonly T[]) => fc.constantFrom(...items)

/** Values with a meaning for some type, right and wrong, as people write them. */
const oddValues = [
  '',
  ...[
    '0 1 -1 -2 5 500 501 6000 max +3 1,000 9007199254740992 no FALSE * *|a a|b a|a A|B \u001fa\u001fb #12',
    'en>Ada 192.0.2.1 192.0.2.0/24 2001:db8::1 Ada now 2026-01-31 2026-01-31T12:00:00Z 20260131120000',
    'title titles|ids ascending newer older all info allpages|info info|info links revisions search',
    'nosuch query edit 100% %E4 %zz \ud800 ä a?b',
  ].flatMap(line => line.split(' ')),
  ' ',
  'x'.repeat(300),
]

const wire = oneOf(wires)
const valuesFor = ({ parameter }: (typeof wires)[number]) => [
  ...(parameter.values ?? []),
  ...(parameter.default === undefined ? [] : [String(parameter.default)]),
]
const right = wire.chain(target => fc.tuple(fc.constant(target.wire), oneOf([...valuesFor(target), ...oddValues])))
const name = fc.oneof(
  wire.map(target => target.wire),
  wire.map(target => target.parameter.name),
  wire.map(target => target.wire.toUpperCase()),
  wire.map(target => `${target.wire}x`),
  oneOf([...queryLevel]),
  oneOf(['', ...'Titles PROP list List generator nosuch % mytoken a%zz constructor __proto__'.split(' ')]),
)
const asking = fc.oneof(
  fc.tuple(
    oneOf(['list', 'prop', 'meta', 'generator', 'Prop']),
    oneOf(modules).map(module => module.name),
  ),
  oneOf(modules).map(({ group, name }) => [group, name] as [string, string]),
  fc
    .subarray(modules, { minLength: 1, maxLength: 4 })
    .map(some => [some[0]?.group ?? '', some.map(module => module.name).join('|')] as [string, string]),
  oneOf(modules.filter(module => module.generator)).map(module => ['generator', module.name] as [string, string]),
)

/** Pairs in plain text, escaped, or left as they are. */
export const written = fc
  .tuple(fc.oneof(right, asking, fc.tuple(name, oneOf(oddValues))), fc.integer({ min: 0, max: 9 }))
  .map(([[name, value], how]) => (how === 0 ? name : how < 4 ? `${name}=${value}` : `${name}=${escaped(value)}`))

const module = oneOf(modules)
/** Queries with modules and, mostly, their parameters. */
const focused = fc.tuple(fc.subarray(modules, { minLength: 1, maxLength: 3 }), module).chain(([asked, generator]) => {
  const targets = wires.filter(target => asked.includes(target.module) || target.module === generator)
  const pair = oneOf(targets).chain(target =>
    fc.tuple(
      oneOf([target.wire, target.wire, target.wire, target.parameter.name]),
      oneOf([...valuesFor(target), ...oddValues]),
    ),
  )
  return fc
    .array(pair, { maxLength: 8 })
    .map(pairs =>
      [
        ...asked.map(({ group, name }) => `${group}=${name}`),
        ...(generator.generator ? [`generator=${generator.name}`] : []),
        ...pairs.map(([name, value]) => `${name}=${escaped(value)}`),
      ].join('&'),
    )
})
/** Queries of all kinds, most of them nearly right. */
export const query = fc.oneof(
  fc.array(written, { maxLength: 10 }).map(pairs => pairs.join('&')),
  focused,
  focused.map(text => `https://wiki.example/w/api.php?action=query&${text}#top`),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc
    .array(oneOf(['&', '=', '%', '|', '?', '#', '+', '%7C', '%1F', 'prop', 'titles', 'a', '\u0000', '\udfff', ' ']), {
      maxLength: 12,
    })
    .map(parts => parts.join('')),
)
export const limits = oneOf(limitChoices)

function escaped(text: string): string {
  return /%|\ud800/.test(text) ? text : encodeURIComponent(text)
}
