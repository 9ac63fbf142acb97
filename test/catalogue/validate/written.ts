// Queries drawn from the catalogue, as each idiom writes them.
import { readPairs } from '../../../catalogue/validate/text/query.ts'
import { knowledge, validate } from '../../support/catalogue/validate.ts'
import { type Asked, commands, languages, type Piece, places } from './idioms.ts'

export type Written = { text: string; asked: Asked }
export type Row = { name: string; language: string; write: (asked: Asked) => string | null; isFilled?: true }

const address = 'https://wiki.example/w/api.php?'
const signs = ['"', "'", '\\', '$', '#', '{', '}', '%', '&', '+', '`', '~', '<', '@', '^', '!', '(', ')', '[', ';', ',']

/** A parameter of each type, with a value that it takes. */
const values: Record<string, string> = {
  str: 'a b',
  int: '12',
  bool: '1',
  ts: '2024-12-20T10:00:00Z',
  title: 'Category:Café',
  ns: '14',
  user: 'Ada Lovelace',
  limit: 'max',
}
const kinds = new Map(
  [...knowledge.wires.values()].map(target => [`${target.parameter.type} ${target.parameter.multi}`, target]),
)
const ofTypes: [string, string][][] = [...kinds.values()].map(({ role, module, wire, parameter }) => [
  ['action', 'query'],
  [role, module.name],
  [
    wire,
    values[parameter.type] ??
      [...(parameter.values ?? [])]
        .filter(Boolean)
        .slice(0, parameter.multi ? 3 : 1)
        .join('|'),
  ],
  ['format', 'json'],
])
const ofSigns: [string, string][][] = [
  ...signs,
  'A|B|C',
  'ä',
  '😀',
  'a\nb',
  'a\tb',
  '$x',
  '100%',
  '%s',
  'it\'s "so"',
].map(value => [
  ['action', 'query'],
  ['list', 'search'],
  ['srsearch', `a${value}b`],
  ['srlimit', '5'],
])
const plain: Asked[] = [...ofTypes, ...ofSigns].map(pairs => ({
  address: [address],
  pairs: pairs.map(([name, value]) => [name, [value]]),
}))

/** With placeholders: in the address, as a value, in a part of one, in several, nested. */
const withCode = (variable: string, nested = variable): Asked[] => {
  const code = { code: variable }
  const usual: Asked['pairs'] = [
    ['action', ['query']],
    ['prop', ['info', '|', 'categories'].slice(0, 1)],
  ]
  const last: Asked['pairs'] = [
    ['cllimit', ['5']],
    ['format', ['json']],
  ]
  return [
    { address: [code, '?'], pairs: [...usual, ['titles', ['Ada']], ...last] },
    { address: [code, '/w/api.php?'], pairs: [...usual, ['titles', ['Ada']], ...last] },
    { address: [address], pairs: [...usual, ['titles', [code]], ...last] },
    { address: [address], pairs: [...usual, ...last, ['titles', [code]]] },
    { address: [address], pairs: [...usual, ['titles', ['Category:', code]], ...last] },
    { address: [address], pairs: [...usual, ['titles', ['Ada|', code, '|Grace']], ...last] },
    {
      address: [code, '/w/api.php?'],
      pairs: [...usual, ['titles', [code]], ['cllimit', [code]], ['format', ['json']]],
    },
    { address: [address], pairs: [...usual, ['titles', [{ code: nested }]], ...last] },
    { address: [address], pairs: [...usual, ['titles', ['A:', { code: nested }]], ['cllimit', [code]]] },
  ]
}

const encoded = (value: string) =>
  encodeURIComponent(value).replaceAll('%7C', '|').replaceAll('%3A', ':').replaceAll('%20', '+')

/** An address in pieces: joined ones break before each `&`. */
function urlOf({ address, pairs }: Asked, isBroken = false): Piece[] {
  const pieces: Piece[] = [...address]
  const add = (text: string, isNew = false) => {
    const last = pieces.at(-1)
    if (typeof last === 'string' && !isNew) pieces[pieces.length - 1] = last + text
    else pieces.push(text)
  }
  pairs.forEach(([name, value], at) => {
    add(`${at === 0 ? '' : '&'}${name}=`, isBroken && at > 0)
    for (const piece of value) {
      if (typeof piece === 'string') add(encoded(piece))
      else pieces.push(piece)
    }
  })
  return pieces
}
const isPlain = ({ address, pairs }: Asked) =>
  [address, ...pairs.map(([, value]) => value)].flat().every(piece => typeof piece === 'string')
const plainUrl = (asked: Asked) => urlOf(asked).join('')

export const rows: Row[] = [
  ...Object.entries(languages).flatMap(([language, { text, filled, joined, send, map }]): Row[] => {
    const literal = (piece: Piece) => (typeof piece === 'string' ? text(piece) : piece.code)
    const written = (value: Piece[]) => {
      const [first = '', ...more] = value
      return more.length === 0 ? literal(first) : joined ? joined(value.map(literal)) : filled ? filled(value) : null
    }
    return [
      { name: `${language}, plain`, language, write: asked => (isPlain(asked) ? send(text(plainUrl(asked))) : null) },
      ...(filled
        ? [
            {
              name: `${language}, filled`,
              language,
              write: (asked: Asked) => (isPlain(asked) ? null : send(filled(urlOf(asked)))),
            },
          ]
        : []),
      ...(joined
        ? [
            {
              name: `${language}, joined`,
              language,
              write: (asked: Asked) => send(joined(urlOf(asked, true).map(literal))),
            },
          ]
        : []),
      ...(map
        ? [
            {
              name: `${language}, map`,
              language,
              write: ({ address, pairs }: Asked) => {
                const given = pairs.map(([name, value]) => [name, written(value)] as const)
                return typeof address[0] === 'string' && given.every(([, value]) => value !== null)
                  ? map(given as [string, string][])
                  : null
              },
            },
          ]
        : []),
    ]
  }),
  ...Object.entries({ ...commands, ...places }).map(([name, write]) => ({
    name,
    language: name,
    write: (asked: Asked) => (isPlain(asked) ? write(plainUrl(asked)) : null),
  })),
]

/** Signs by which some language marks a value of the program: others write them for themselves. */
const marksValue = /[$%{#~<]/

/** Equal: the same names and values; a value with a placeholder has its known parts in their order, and is not judged. */
export function isEqual({ text, asked: { pairs: due } }: Written): boolean {
  const read = readPairs(text)
  const byName = new Map(read.map(pair => [pair.name, pair]))
  return (
    read.length === due.length &&
    due.every(([name, value], at) => {
      const pair = byName.get(name)
      if (!pair) return false
      if (value.every(piece => typeof piece === 'string'))
        return pair.value === value.join('') && (!pair.isOpen || marksValue.test(pair.value))
      const next = due[at + 1]?.[0]
      let from = 0
      const holds = value.every(piece => {
        if (typeof piece !== 'string') return true
        const found = pair.value.indexOf(piece, from)
        from = found + piece.length
        return found >= 0
      })
      return holds && pair.isOpen === true && !(next && pair.value.includes(`${next}=`))
    })
  )
}

export const isSaid = ({ text }: Written): boolean => validate(text).findings.some(({ rule }) => rule === 'unread-code')

export function tried({ language, write }: Row): Written[] {
  const { variable = 'x', nested } = languages[language] ?? {}
  return [...plain, ...withCode(variable, nested)].flatMap(asked => {
    const text = write(asked)
    return text === null ? [] : [{ text, asked }]
  })
}
