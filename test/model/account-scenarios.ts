import type { Act, Scenario } from './account-system.ts'
import { type Mutation, mailboxes } from './account-world.ts'
import type { Breach, Scenarios } from './campaign.ts'
import type { Write } from './tables.ts'

const stolen = ['move-thief'] as const
const twice = ['move-thief', 'move-third'] as const
const loop = Array.from({ length: 4 }, () => 'log out everywhere' as const)
/** A thief acts at once, whenever he likes. */
const atOnce = ['thief', 'stranger', 'operator'] as const

/** Deeds of several calls: each meets everything else between any two of them. */
const deeds: readonly Act[] = [
  ...([
    'move-new',
    'reset',
    'reset that keeps',
    'set up an app',
    'add a passkey',
    'connect',
    'connect to Bob',
  ] as const),
  ...(['disconnect', 'delete', 'undo', 'change the password', 'revoke', 'move by an operator'] as const),
  ...(['log in by a provider', 'import'] as const),
]
export const everything: readonly Act[] = [
  ...deeds,
  ...(['delete by an operator', 'log out everywhere', 'rename', 'register-new', 'register-old'] as const),
  ...(['invite-new', 'log in-old', 'forgot-old'] as const),
]

/** What changes identities, or all that gives access. */
const few: readonly Act[] = ['move-new', 'reset', 'connect', 'undo', 'delete', 'revoke', 'log in by a provider']

/** Pairs of deeds, by what has happened before. */
const scenes: readonly (readonly [
  scene: string,
  before: readonly Act[],
  firsts: readonly Act[],
  seconds: readonly Act[],
])[] = [
  ['at home', ['connect'], deeds, everything],
  ['moved', ['connect', 'move-thief'], deeds, few],
  ['without an identity', [], few, few],
]
export const pairs: readonly (readonly [scene: string, first: Act, Scenario[]])[] = scenes.flatMap(
  ([scene, before, firsts, seconds]) =>
    firsts.map(first => {
      const scripts = seconds.map(second => ({ owner: [first], stranger: [second] }))
      return [scene, first, scripts.map(scripts => ({ before, scripts, atOnce }))] as const
    }),
)

export const scenarios = {
  'a registration': [{ scripts: { stranger: ['register-late', 'verify-late'] } }, 2],
  'two registrations': [{ scripts: { stranger: ['register-late'], thief: ['register-late'] } }, 1],
  'a move': [{ scripts: { owner: ['move-new'] } }, 2],
  'a move and a registration': [{ scripts: { owner: ['move-new'], stranger: ['register-new'] } }, 0],
  'a reset and a move within two seconds': [
    { scripts: { owner: ['reset that keeps the password', 'move-new'] }, isMailed: true },
    0,
  ],
  'a forgotten password and a move': [
    { scripts: { stranger: ['forgot-old'], owner: ['move-new'] }, isMailed: true, isUntold: true },
    0,
  ],
  'a deletion': [{ before: ['connect'], scripts: { owner: ['delete'] } }, 2],
  'a deletion by a thief who has moved it': [
    { before: ['move-thief'], scripts: { owner: ['delete'], stranger: ['register-old'] } },
    0,
  ],
  'a deletion, and an import': [
    {
      before: ['log in-old', 'add a passkey', 'move-thief', 'forgot-thief', 'connect'],
      scripts: { owner: ['delete'], operator: ['import'], thief: ['use what is old'] },
      atOnce,
    },
    0,
  ],
  'a connection, and another': [{ scripts: { owner: ['connect'], stranger: ['connect to Bob'] } }, 0],
  'a connection and a first login': [{ scripts: { owner: ['connect'], stranger: ['log in by a provider'] } }, 0],
  'a connection and a reset': [{ scripts: { owner: ['reset'], thief: ['connect'] } }, 0],
  'an undo': [{ before: ['connect', ...stolen], scripts: { owner: ['undo'] } }, 2],
  'an undo while a thief logs out everywhere': [
    { before: stolen, scripts: { owner: ['undo'], thief: loop }, atOnce },
    0,
  ],
  'an undo while a thief does all he can': [
    {
      before: stolen,
      scripts: { owner: ['undo'], thief: ['set up an app', 'connect', 'log in-thief'] },
      atOnce,
    },
    0,
  ],
  'an undo while a thief connects': [{ before: stolen, scripts: { owner: ['undo'], thief: ['connect'] } }, 0],
  'an undo while a thief changes the password': [
    { before: stolen, scripts: { owner: ['undo'], thief: ['change the password', 'forgot-thief'] }, atOnce },
    0,
  ],
  'an undo while a thief moves on, and the next click': [
    { before: stolen, scripts: { owner: ['undo', 'undo'], thief: ['move-third'] }, isUntold: true },
    0,
  ],
  'an undo, and the undo of a thief': [
    { before: twice, scripts: { owner: ['undo the first'], thief: ['undo the undo'] } },
    0,
  ],
  'an undo, where a stranger registers': [
    { before: stolen, scripts: { owner: ['undo'], stranger: ['register-old', 'verify-old'] }, atOnce },
    0,
  ],
  'an undo, where somebody is invited': [
    { before: [...stolen, 'invite-old'], scripts: { owner: ['undo'], stranger: ['accept-old'] } },
    0,
  ],
  'an undo, where a provider opens an account': [
    { before: stolen, scripts: { owner: ['undo'], stranger: ['open at the old address'] } },
    0,
  ],
  'an undo, and a move by an operator': [
    { before: stolen, scripts: { owner: ['undo'], operator: ['move by an operator'] }, isUntold: true },
    0,
  ],
  'a thief with the password sets up an app and moves': [
    { scripts: { thief: ['set up an app', 'move-thief', 'move-third'], owner: ['undo'] }, stolen: 'password', atOnce },
    0,
  ],
  'a thief with the password adds what he can': [
    {
      scripts: { thief: ['add a passkey', 'connect', 'move-thief', 'set up an app'], owner: ['undo'] },
      stolen: 'password',
      atOnce,
    },
    0,
  ],
  'a reset while a thief sets up an app': [
    { scripts: { owner: ['reset', 'undo'], thief: ['set up an app'] }, stolen: 'password', isUntold: true, atOnce },
    0,
  ],
  'the same, after a change that is a week old': [
    {
      before: ['add a passkey', 'a week passes'],
      ...{
        scripts: { owner: ['reset', 'undo'], thief: ['set up an app'] },
        stolen: 'password',
        isUntold: true,
        atOnce,
      },
    },
    0,
  ],
  'a reset after an app': [
    { before: ['add a passkey', 'set up an app'], scripts: { owner: ['reset', 'undo'] }, stolen: 'password' },
    1,
  ],
  'a reset after the mailbox was read': [
    { before: ['add a passkey', 'connect'], scripts: { owner: ['reset'], thief: ['click all copies'] }, atOnce },
    0,
  ],
  'an app after a flood of changes': [
    {
      before: Array.from({ length: 20 }, () => 'add and remove a passkey' as const),
      ...{
        scripts: { thief: ['set up an app'], owner: ['reset', 'undo'] },
        stolen: 'password',
        isUntold: true,
        atOnce,
      },
    },
    0,
  ],
  'a revocation after a move': [
    { before: stolen, scripts: { operator: ['revoke'], owner: ['undo'] }, stolen: 'password' },
    0,
  ],
  'a thief who reads the mailbox, where an app is a week old': [
    {
      before: ['add a passkey', 'set up an app', 'a week passes'],
      ...{ scripts: { thief: ['click all copies', 'reset', 'click all copies'] }, stolen: 'mailbox' },
    },
    1,
  ],
  'the safe order': [
    {
      scripts: {
        owner: ['set up an app', 'reset that keeps the password', 'move-new'],
        thief: ['click all copies', 'click all copies'],
      },
      atOnce,
      isUntold: true,
    },
    0,
  ],
} satisfies Record<string, readonly [Scenario, faults: number]> as Scenarios<string, Scenario>

// Mutations.

const isOf = (prefix: string, { Key, Item: item }: Write): boolean => String((Key ?? item)?.key).startsWith(prefix)
const isEntry = (write: Write): boolean => isOf('email#', write)
const isIdentity = (write: Write): boolean => isOf('identity#', write)

/** Leaves requests out. */
const without = (isLost: (write: Write) => boolean) => (): Mutation => ({
  write: write => (isLost(write) ? null : write),
})

/** Changes the text of conditions and updates. */
const worded =
  (isMeant: (write: Write) => boolean, part: RegExp, by = '') =>
  (): Mutation => ({
    write: ({ ConditionExpression: condition, UpdateExpression: update, ...write }) => {
      const replace = (text: string) => (isMeant(write) ? text.replace(part, by) : text)
      const conditions = condition && { ConditionExpression: replace(condition) }
      return { ...write, ...conditions, ...(update && { UpdateExpression: replace(update) }) }
    },
  })

type Changes = Record<string, { kind: string; link?: true; email: string }>

/** Changes the map of changes that a write stores. @param present the one that is there */
const changing =
  (isMeant: (update: string) => boolean, change: (stored: Changes, present: Changes) => Changes) => (): Mutation => ({
    write: (write, present) => {
      const { ':changes': stored, ...values } = write.ExpressionAttributeValues ?? {}
      if (!stored || !isMeant(write.UpdateExpression ?? '')) return write
      const changes = change(stored as Changes, present?.changes as Changes)
      return { ...write, ExpressionAttributeValues: { ...values, ':changes': changes } }
    },
  })
const isReset = (update: string): boolean => update.includes('password_changed_by')
const isRevocation = (update: string): boolean => update.includes('former_password_hash') && !update.includes('email =')

const withoutLinks = (changes: Changes, isMeant: (change: Changes[string]) => boolean): Changes =>
  Object.fromEntries(
    Object.entries(changes).map(([hash, { link, ...change }]) => [
      hash,
      { ...change, ...(link && !isMeant(change) && { link }) },
    ]),
  )

export const breaches: readonly Breach<string, () => Mutation>[] = [
  ['an entry that a move leaves', without(write => isEntry(write) && !write.Item), 'a move', /entry/],
  [
    'a move over a taken entry',
    worded(isEntry, /^attribute_not_exists.id.$/, 'attribute_not_exists(no)'),
    'a move and a registration',
    /entry|two accounts/,
  ],
  ['an entry of an identity that is left out', without(isIdentity), 'a connection, and another', /identity leads/],
  ['no request token', () => ({ hasNoToken: true }), 'a move', /answered as the first/],
  ['an import that keeps changes', () => ({ importsAll: true }), 'a deletion, and an import', /works again/],
  [
    'a set-up link that spares an account that moved',
    () => ({
      deps: ({ accounts }) => ({
        accounts: {
          ...accounts,
          find: async id => {
            const account = await accounts.find(id)
            const isSpared = (kind: string, email: string) => kind === 'factor' && email !== account?.email
            const changes = account?.changes.map(each => ({
              ...each,
              hasLink: each.hasLink && !isSpared(each.kind, each.email),
            }))
            return account && { ...account, changes: changes ?? [] }
          },
        },
      }),
    }),
    'a thief with the password sets up an app and moves',
    /takes the account back/,
  ],
  [
    'a reset that voids the set-up link',
    changing(isReset, stored => withoutLinks(stored, ({ kind }) => kind === 'factor')),
    'a reset after an app',
    /may still be needed/,
  ],
  [
    'a reset that leaves other links',
    changing(isReset, (_, present) => present),
    'a reset after the mailbox was read',
    /but the one said/,
  ],
  [
    'a revocation that ends links at other mailboxes',
    changing(isRevocation, stored => withoutLinks(stored, () => true)),
    'a revocation after a move',
    /never final/,
  ],
  [
    'a link stored without its address',
    worded(
      write =>
        ':email_verification_token' in (write.ExpressionAttributeValues ?? {}) ||
        ':password_reset_token' in (write.ExpressionAttributeValues ?? {}),
      / AND email = :email/,
    ),
    'a forgotten password and a move',
    /stored where its address is/,
  ],
  [
    'giving way of an invitation that was accepted',
    worded(write => isOf('account#', write) && !write.Item, / AND token_version = :version.*/),
    'an undo, where somebody is invited',
    /verified address/,
  ],
  [
    'a worker that finds no account that has moved',
    () => ({
      deps: ({ accounts }) => {
        const find = async (id: string) => {
          const account = await accounts.find(id)
          return account?.email === mailboxes.new ? null : account
        }
        return { accounts: { ...accounts, find } }
      },
    }),
    'a reset and a move within two seconds',
    /told where the account was/,
  ],
  [
    'a set-up link that never ends',
    () => ({
      deps: ({ accounts, now }) => {
        const find = async (id: string) => {
          const account = await accounts.find(id)
          return account && { ...account, changes: account.changes.map(change => ({ ...change, at: now() })) }
        }
        return { accounts: { ...accounts, find } }
      },
    }),
    'a thief who reads the mailbox, where an app is a week old',
    /mailbox alone/,
  ],
  [
    'a connection of any version',
    worded(write => isOf('account#', write), / AND token_version = :version(?= AND attribute_not_exists.identities)/),
    'an undo while a thief connects',
    /undo wins/,
  ],
]
