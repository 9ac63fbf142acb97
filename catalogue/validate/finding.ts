// A finding before it has a text, and the examined query.
import type { ChosenModules } from './chosen.ts'
import type { Knowledge, KnownModule, Target } from './knowledge.ts'
import type { RuleName } from './rules.ts'
import type { Pair, Part } from './text/pairs.ts'

/** The caller's limits: 50 values and a limit of 500, ten times that, or unknown. */
export const limitChoices = ['normal', 'high', 'any'] as const
export type Limits = (typeof limitChoices)[number]

export type Found = {
  rule: RuleName
  /** The written name; for something missing, its wire name. */
  name: string
  /** Its place; absent for something missing. */
  pair?: Pair
  /** The affected one of the pair's values. */
  part?: Part
  module?: KnownModule
  /** The parameter that the name has, stands for, or was meant for. */
  target?: Target
  /** For a name: the right one is given too, so this has no effect. */
  isExtra?: true
  /** Other affected names. */
  names?: readonly string[]
}

/** A parameter or query-level name, with its pair. `order` counts the query's names. */
export type NamedPair = { pair: Pair; order: number; target?: Target }

/** The context of a query's check. */
export type CheckContext = {
  knowledge: Knowledge
  limits: Limits
  /** The text is the address of a page, not of the API. */
  isPage?: true
  /** The text calls something, but contains no readable query. */
  isUnread?: true
  /** Names in the text that no pair of its query has. */
  unread?: readonly Pair[]
  /** Objects of the program that the query includes, but the text lacks. */
  leftOut: readonly string[]
  /** A pair's own findings do not depend on others, so they are computed once. */
  remember: <T>(pair: Pair, key: string, make: () => T) => T
}

/** A query with its modules. */
export type Reading = CheckContext &
  ChosenModules & {
    /** The effective pair of each name, in the order of first occurrence. */
    names: ReadonlyMap<string, Pair>
  }

/** A query with the meaning of its names. */
export type Understood = Reading & {
  /** By the right name, even if the query has a wrong one. */
  namedPairs: ReadonlyMap<string, NamedPair>
}

/** A query with all its findings. */
export type Examined = Understood & { pairs: readonly Pair[]; found: readonly Found[] }
