// Properties of every report, over generated queries.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { findNear } from '../../../catalogue/nearest.ts'
import type { Finding, Report } from '../../../catalogue/report.ts'
import type { Limits } from '../../../catalogue/validate/finding.ts'
import { editQuery } from '../../../catalogue/validate/text/edits.ts'
import { decode } from '../../../catalogue/validate/text/encoding.ts'
import { textOf } from '../../../catalogue/validate/text/pairs.ts'
import { frame, readPairs } from '../../../catalogue/validate/text/query.ts'
import { knowledge, validate } from '../../support/catalogue/validate.ts'
import { seed } from '../../support/property.ts'
import { limits, oneOf, query, written } from './queries.ts'

const holds = (law: (text: string, report: Report, limits: Limits) => void, numRuns = 400) =>
  fc.assert(
    fc.property(query, limits, (text, choice) => law(text, validate(text, choice), choice)),
    { seed, numRuns },
  )

const sameAs = (finding: Finding) => (other: Finding) =>
  finding.rule === other.rule &&
  finding.name === other.name &&
  finding.value === other.value &&
  finding.parameter === other.parameter

test('a text is malformed exactly where its escapes are no UTF-8', () => {
  const byte = fc.oneof(fc.nat(255), fc.constantFrom(0xe0, 0xed, 0xf0, 0xf4, 0x80, 0x90, 0xa0, 0xbf, 0xc1, 0xc2))
  const piece = fc.oneof(
    byte.map(each => `%${each.toString(16).padStart(2, '0')}`),
    fc.constantFrom('a', '%', '%4', '%C3%A9', '%ED%9F%BF', '%F4%8F%BF%BF', '%EF%BF%BD', '%E2%82'),
  )
  const isRefused = (text: string) => {
    try {
      decodeURIComponent(text)
      return false
    } catch {
      return true
    }
  }
  const law = (parts: string[]) => {
    expect(decode(parts.join('')).isMalformed).toBe(isRefused(parts.join('')))
  }
  fc.assert(fc.property(fc.array(piece, { maxLength: 6 }), law), { seed, numRuns: 20_000 })
})

describe('every report', () => {
  test('has spans at which the text says the name and the value', () => {
    holds((text, { findings }) => {
      for (const { span, name, value } of findings) {
        if (!span) continue
        expect(decode(text.slice(...span.name)).text).toBe(name)
        if (value !== undefined) expect(decode(text.slice(...span.value)).text.slice(0, 200)).toBe(value)
      }
    })
  })

  test('lists findings in the order of the query, those of what is absent last', () => {
    holds((_, { findings }) => {
      const places = findings.map(({ span }) => span?.name[0] ?? Number.POSITIVE_INFINITY)
      expect(places).toEqual([...places].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0)))
    })
  })

  test('is valid if nothing in it is an error, and counts what it lists', () => {
    holds((_, { valid, counts, findings, truncated }) => {
      expect(valid).toBe(counts.error === 0)
      expect(truncated).toBeUndefined()
      for (const severity of ['error', 'warning', 'notice'] as const)
        expect(counts[severity]).toBe(findings.filter(finding => finding.severity === severity).length)
    })
  })

  test('is the same for the same query, and is JSON', () => {
    holds((text, report, limits) => {
      expect(validate(text, limits)).toEqual(report)
      expect(JSON.parse(JSON.stringify(report))).toEqual(report)
    }, 200)
  })

  test('says one sentence of each finding', () => {
    holds((_, { findings }) => {
      for (const { message } of findings) expect(message).toMatch(/^[\s\S]{10,2000}\.$/)
      for (const { message } of findings) expect(message).not.toMatch(/undefined|null|\[object/)
    })
  })
})

describe('the law of suggestions', () => {
  test('each suggestion removes its finding; errors fall, or at least do not rise', () => {
    holds((text, report, limits) => {
      for (const finding of report.findings) {
        for (const { edits } of finding.suggestions) {
          const after = validate(editQuery(text, edits), limits)
          const [left, were] = [after, report].map(({ findings }) => findings.filter(sameAs(finding)).length)
          expect(left).toBeLessThan(were ?? 0)
          if (finding.severity === 'error') expect(after.counts.error).toBeLessThan(report.counts.error)
          else expect(after.counts.error).toBeLessThanOrEqual(report.counts.error)
        }
      }
    })
  })

  test('a suggestion that leaves a value away says so, a choice too', () => {
    const valuesIn = (text: string) =>
      new Set(
        text
          .toLowerCase()
          .split(/[|,;\s]+/)
          .filter(Boolean),
      )
    const law = (text: string, choice: Limits) => {
      for (const { suggestions } of validate(text, choice).findings) {
        for (const { edits, loses } of suggestions) {
          for (const edit of edits) {
            if (edit.op !== 'replace') continue
            const before = readPairs(text).filter(({ name }) => name === edit.name)
            const given = valuesIn(before.at(-1)?.value ?? '')
            const left = valuesIn(edit.value)
            const after = valuesIn(
              readPairs(editQuery(text, edits))
                .map(({ value }) => value)
                .join('|'),
            )
            const isLess = [...left].every(value => given.has(value)) && [...given].some(value => !after.has(value))
            if (isLess) expect([text, edit, loses]).toEqual([text, edit, true])
          }
        }
      }
    }
    fc.assert(fc.property(query, limits, law), { seed, numRuns: 400 })
    const separators = oneOf(['|', ',', ', ', ';', ' ', '%0A'])
    const separate = fc
      .tuple(separators, oneOf([...knowledge.wires.values()]))
      .chain(([separator, { module, role, wire, parameter }]) =>
        fc
          .array(oneOf([...(parameter.values ?? []), 'nosuch', 'A', '5', role === 'generator' ? 'links' : 'x']), {
            maxLength: 4,
          })
          .map(given => `${role}=${module.name}${separator}info&${wire}=${given.join(separator)}`),
      )
    fc.assert(fc.property(separate, limits, law), { seed, numRuns: 600 })
  })

  test('no suggestion stands twice', () => {
    holds((_, { findings }) => {
      for (const { suggestions } of findings) {
        for (const key of ['label', 'edits'] as const) {
          const all = suggestions.map(suggestion => JSON.stringify(suggestion[key]))
          expect(all).toEqual([...new Set(all)])
        }
      }
    })
  })

  test('taking the first suggestion again and again ends', () => {
    holds((text, _, limits) => {
      let query = text
      for (let step = 0; step < 60; step++) {
        const mended = validate(query, limits).findings.find(({ suggestions }) => suggestions.length > 0)
        const [first] = mended?.suggestions ?? []
        if (!first) return
        query = editQuery(query, first.edits)
      }
      throw new Error(`no end: ${query}`)
    }, 200)
  })

  test('pairs that no edit names stay byte for byte, as does what surrounds the query', () => {
    holds((text, { findings }) => {
      for (const { suggestions } of findings) {
        for (const { edits } of suggestions) {
          const touched = new Set(edits.flatMap(edit => (edit.op === 'rename' ? [edit.from, edit.to] : [edit.name])))
          const untouched = (whole: string) =>
            readPairs(whole).flatMap(pair => (touched.has(pair.name) ? [] : textOf(pair)))
          const edited = editQuery(text, edits)
          expect(untouched(edited)).toEqual(untouched(text))
          expect(edited.startsWith(frame(text).before)).toBe(true)
          // A fix of a fragment that cuts the query moves it into the query, or removes it.
          const isCut = readPairs(text).some(({ slip }) => slip) && !readPairs(edited).some(({ slip }) => slip)
          expect(isCut || edited.endsWith(frame(text).after)).toBe(true)
        }
      }
    }, 200)
  })
})

describe('a slip in a name of a chosen module', () => {
  /** A missing or added s, a wrong letter, two swapped neighbours. */
  function* slipsOf(wire: string): Generator<string> {
    yield `${wire}s`
    if (wire.endsWith('s')) yield wire.slice(0, -1)
    for (let at = 0; at < wire.length; at++) {
      yield `${wire.slice(0, at)}${wire[at] === 'e' ? 'a' : 'e'}${wire.slice(at + 1)}`
      yield `${wire.slice(0, at)}${wire[at + 1] ?? ''}${wire[at]}${wire.slice(at + 2)}`
    }
  }
  const distance = (slip: string, wire: string) => findNear(slip, [wire]).distance

  test.each([...knowledge.modules.values()])('of $name leads to no other by itself that is not nearer', module => {
    const own = [...module.parameters.keys()].map(name => module.prefix + name)
    for (const wire of own) {
      for (const slip of slipsOf(wire)) {
        if (own.includes(slip)) continue
        const finding = validate(`${module.group}=${module.name}&titles=A&${slip}=1`).findings.find(
          ({ name }) => name === slip,
        )
        const [first] = finding?.suggestions ?? []
        const [edit] = first?.loses || first?.choice ? [] : (first?.edits ?? [])
        const to = edit?.op === 'rename' ? edit.to : slip
        const isElsewhere = edit !== undefined && !own.includes(to)
        if (isElsewhere) expect([slip, to, distance(slip, to) < distance(slip, wire)]).toEqual([slip, to, true])
      }
    }
  })

  test('that adds an s is mended by its fix, where only one name is near', () => {
    const others: string[] = []
    for (const module of knowledge.modules.values()) {
      for (const name of module.parameters.keys()) {
        const slip = `${module.prefix}${name}s`
        const { findings } = validate(`${module.group}=${module.name}&titles=A&${slip}=`)
        const [first] = findings.find(finding => finding.name === slip)?.suggestions ?? []
        const [edit] = first?.edits ?? []
        if (first?.choice || edit?.op !== 'rename' || edit.to !== module.prefix + name) others.push(slip)
      }
    }
    expect(others).toEqual(['bkips', 'druniques'])
  })
})

describe('a secret', () => {
  const secret = 'S3cretValue'
  const name = oneOf('wltoken gwltoken wrtoken token WLTOKEN wltokem mytoken %74oken tokens[]'.split(' '))
  test('stands nowhere in the report', () => {
    fc.assert(
      fc.property(fc.array(written, { maxLength: 6 }), name, oneOf(['', '%', '|a', '%7Ca']), (pairs, name, more) => {
        for (const query of [
          [...pairs, `${name}=${secret}${more}`],
          [`${name}=${secret}${more}`, 'list=watchlist', `${name}=${secret}`, ...pairs],
        ]) {
          const text = query.join('&')
          const hasIt = JSON.stringify(validate(text)).includes(secret)
          expect(hasIt && /token/i.test(decode(name).text)).toBe(false)
        }
      }),
      { seed, numRuns: 200 },
    )
  })
})

describe('the normalized query', () => {
  test('has the same errors, no repeated names, and no secret', () => {
    holds((text, report, limits) => {
      // Malformed parts stay, wherever they are then.
      if (report.findings.some(({ rule }) => rule === 'not-a-query' || rule === 'malformed-encoding')) return
      const after = validate(report.normalized, limits)
      const errors = ({ findings }: Report) =>
        findings
          .filter(({ severity, rule }) => severity === 'error' && rule !== 'duplicate-name')
          .map(({ rule }) => rule)
      expect(errors(after).sort()).toEqual(errors(report).sort())
      expect(after.findings.filter(({ rule }) => rule === 'duplicate-name')).toEqual([])
      expect(validate(text, limits)).toEqual(report)
    })
  })
})
