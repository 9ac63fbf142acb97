// A finding before it is put into words, and the scene that it was found in.
import type { ChosenModules } from './chosen.ts'
import type { Knowledge, KnownModule, Target } from './knowledge.ts'
import type { Pair, Part } from './pairs.ts'
import type { RuleName } from './rules.ts'

/** What callers may send: 50 values and a limit of 500, ten times that, or it is not known. */
export const limitChoices = ['normal', 'high', 'any'] as const
export type Limits = (typeof limitChoices)[number]

export type Found = {
  rule: RuleName
  /** As written; of what is absent, its wire name. */
  name: string
  /** Where it stands; absent for what is absent. */
  pair?: Pair
  /** The one of the pair's values that it is about. */
  part?: Part
  module?: KnownModule
  /** The parameter that the name stands for, is taken for, or was meant for. */
  target?: Target
  /** Of a name: the right one is there too, so that this one counts for nothing. */
  isExtra?: true
  /** The other names that it is about. */
  names?: readonly string[]
}

/** A parameter, or a name of the query as a whole, with the pair that gives it. `order` counts the query's names. */
export type Given = { pair: Pair; order: number; target?: Target }

/** What a query is held against. */
export type Measure = {
  knowledge: Knowledge
  limits: Limits
  /** What is found of a pair by itself does not change with the others, so it is worked out once. */
  remember: <T>(pair: Pair, key: string, make: () => T) => T
}

/** A query with its modules. */
export type Reading = Measure &
  ChosenModules & {
    /** The pair that counts of each name, in the order in which the names first stand. */
    names: ReadonlyMap<string, Pair>
  }

/** A query with what its names stand for. */
export type Understood = Reading & {
  /** By the right name, wherever it stands under another. */
  given: ReadonlyMap<string, Given>
}

/** A query with everything that is found in it. */
export type Scene = Understood & { pairs: readonly Pair[]; found: readonly Found[] }
