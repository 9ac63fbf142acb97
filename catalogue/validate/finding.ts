// A finding before it has a text, and the query with its context.
import type { ChosenModules } from './chosen.ts'
import type { Knowledge, KnownModule, Target } from './knowledge.ts'
import type { RuleName } from './rules.ts'
import type { Pair, Part } from './text/pairs.ts'

/** The caller's limits: 50 values and a limit of 500, ten times that, or unknown. */
export const limitChoices = ['normal', 'high', 'any'] as const
export type Limits = (typeof limitChoices)[number]

export type Found = {
  rule: RuleName
  /** The name as written; for something missing, its wire name. */
  name: string
  /** Where it stands; absent for something missing. */
  pair?: Pair
  /** The one of the pair's values that it is about. */
  part?: Part
  module?: KnownModule
  /** The parameter that the name stands for, is taken for, or was meant for. */
  target?: Target
  /** For a name: the right one is there too, so this one has no effect. */
  isExtra?: true
  /** The other names that it is about. */
  names?: readonly string[]
}

/** A parameter, or a name of the query as a whole, with the pair that gives it. `order` counts the query's names. */
export type NamedPair = { pair: Pair; order: number; target?: Target }

/** What a query is checked against. */
export type CheckContext = {
  knowledge: Knowledge
  limits: Limits
  /** The text is the address of a page, not of the API. */
  isPage?: true
  /** The text calls something, and no query can be read from it. */
  isUnread?: true
  /** Objects of the program that the query takes more from, and that are not in the text. */
  leftOut: readonly string[]
  /** A pair's own findings do not depend on the other pairs, so they are computed once. */
  remember: <T>(pair: Pair, key: string, make: () => T) => T
}

/** A query with its modules. */
export type Reading = CheckContext &
  ChosenModules & {
    /** The pair that counts of each name, in the order in which the names first stand. */
    names: ReadonlyMap<string, Pair>
  }

/** A query with what its names stand for. */
export type Understood = Reading & {
  /** By the right name, even where the query has a wrong one. */
  namedPairs: ReadonlyMap<string, NamedPair>
}

/** A query with everything that is found in it. */
export type Examined = Understood & { pairs: readonly Pair[]; found: readonly Found[] }
