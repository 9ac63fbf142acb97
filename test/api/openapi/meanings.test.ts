import { globSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { bodies } from '../../../api/bodies.ts'
import { meanings, memberExamples, memberMeanings } from '../../../api/openapi/meanings.ts'
import { ownMeanings, parts, replies, replyExamples } from '../../../api/replies.ts'
import { meanings as ofCatalogue } from '../../../catalogue/meanings.ts'

const root = join(import.meta.dirname, '../../..')
const files = globSync('{accounts/*/{meanings,shapes}.ts,shared/base/shapes.ts}', { cwd: root })
const modules: Record<string, unknown>[] = await Promise.all(files.map(file => import(join(root, file))))

/** The names in what nouns export under a name; `of` calls what is a function. */
const namesOf = (exported: string, of = (value: unknown): unknown => value): string[] =>
  modules.flatMap(module => Object.keys(of(module[exported]) ?? {})).sort()

const called = (value: unknown): Record<string, object> => (typeof value === 'function' ? value() : {})

const without = (others: object, joined: object): string[] =>
  Object.keys(joined)
    .filter(name => !(name in others))
    .sort()

test.each([
  ['bodies', without({}, bodies), namesOf('bodies')],
  ['answers', without(ownMeanings, replies), namesOf('defineAnswers', answers => called(answers).replies)],
  ['parts of answers', without(ownMeanings, parts), namesOf('defineAnswers', answers => called(answers).parts)],
  ['examples of answers', without(ownMeanings, replyExamples), namesOf('giveExamples', called)],
  ['meanings', without({ ...ownMeanings, ...ofCatalogue }, meanings), namesOf('meanings')],
  ["members' meanings", without({}, memberMeanings), namesOf('memberMeanings')],
  ["members' examples", without({}, memberExamples), namesOf('memberExamples')],
])('the %s of all nouns are joined, and each is of one noun alone', (_, joined, stated) => {
  expect(files.length).toBeGreaterThan(10)
  expect(stated).toEqual(joined)
})
