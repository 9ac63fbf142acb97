import { type JsonSchema, toJsonSchemaDefs } from '@valibot/to-json-schema'
import { maxNameLength, Name } from '../../accounts/account/shapes.ts'
import { maxAddress } from '../../accounts/address/address.ts'
import { Email } from '../../accounts/address/shapes.ts'
import { defineForms, maxPageQuery, PageQuery } from '../../accounts/application/shapes.ts'
import { proofMembers } from '../../accounts/identity/shapes.ts'
import { bodyParts as ofPasskeys } from '../../accounts/passkey/shapes.ts'
import { NewPassword, passwordLength } from '../../accounts/password/password.ts'
import { bodyParts as ofSessions } from '../../accounts/session/shapes.ts'
import * as model from '../../catalogue/model.ts'
import { hasHidden } from '../../shared/base/hidden-characters.ts'
import { Label, maxLabelLength } from '../../shared/base/shapes.ts'
import { bodies } from '../bodies.ts'
import { parts, replies } from '../replies.ts'
import { meanings, memberMeanings } from './meanings.ts'

export type Schema = JsonSchema

/** Code points up to U+FFFF that no name may contain, as ranges in a pattern's class. */
function excludedRanges(): string {
  const all = Array.from({ length: 0x10000 }, (_, code) => code)
  const places = (character: string) => [`a${character}a`, `1${character}`]
  const isExcluded = all.map(code => places(String.fromCharCode(code)).every(hasHidden))
  const written = (code: number) => `\\u${code.toString(16).padStart(4, '0')}`
  const firsts = all.filter(code => isExcluded[code] && !isExcluded[code - 1])
  const lasts = all.filter(code => isExcluded[code] && !isExcluded[code + 1])
  return firsts
    .map((first, i) => written(first) + (lasts[i] === first ? '' : `-${written(lasts[i] as number)}`))
    .join('')
}

/** Not every regex dialect knows `\p{Cc}`, lookarounds, or code points beyond U+FFFF: the description says the rest. */
const visible = `^[^${excludedRanges()}]*$`

/** Schemas of texts that code checks, because no schema can be derived from code. The description says what JSON Schema cannot. */
const checked: Record<string, Schema> = {
  Email: {
    type: 'string',
    maxLength: maxAddress,
    description:
      'An e-mail address. White space around it is ignored, capitals count as small letters, and a domain may be ' +
      'international: it is kept and answered in one form, with its domain in punycode.',
  },
  NewPassword: {
    type: 'string',
    format: 'password',
    minLength: passwordLength.min,
    maxLength: passwordLength.max,
    description:
      'Any Unicode text without lone surrogates. Its length counts in code points after normalisation to NFC; a shorter ' +
      'one is refused with 400 and the code `password-too-short`, a longer one with 422.',
  },
  Name: {
    type: 'string',
    maxLength: maxNameLength,
    pattern: visible,
  },
  Label: { type: 'string', maxLength: maxLabelLength, pattern: visible },
  PageQuery: { type: 'string', maxLength: maxPageQuery },
}

/** The shapes of accounts that were described before they lay with their nouns, in their order then. Others follow. */
const published = `
  Email NewPassword SessionRequest Assertion AuthenticatorAssertion NewCredential AuthenticatorAttestation
  UserCreate UserLogin UpdateUserRequest ForgotPasswordRequest ResetPasswordRequest AcceptInvitationRequest
  VerifyEmailRequest ChangePasswordRequest DeleteAccountRequest ChangeEmailRequest ConfirmEmailChangeRequest UndoRequest
  RefreshRequest EndSessionRequest SecondFactorRequest SecondFactorSetupRequest ConfirmSecondFactorRequest PasskeyLogin
  PasskeyProofRequest PasskeySetupRequest ConfirmPasskeyRequest RenamePasskeyRequest RemovePasskeyRequest
  AuthorizeRequest ContinueRequest ProviderLogin DisconnectProviderRequest TokenRequest RevocationRequest
  UserResponse Token SessionList SecondFactor SecondFactorSetup SecondFactorConfirmation RecoveryCodes
  PasskeyRequestOptions PasskeyCreationOptions Passkey PasskeyList ProviderList SignInMethods MessageResponse KeySet
  Discovery OpenapiDocument Continuation LogoutContinuation OAuthTokens UserInfo Revoked PublicKey JsonObject Session
  PasskeyDescriptor PasskeyDomain PasskeyUser PasskeyAlgorithm PasskeySelection ProviderEntry SignInMethod
`
  .trim()
  .split(/\s+/)

const ofAccounts = {
  Email,
  NewPassword,
  Name,
  Label,
  PageQuery,
  ...ofSessions,
  ...ofPasskeys,
  ...bodies,
  ...defineForms(),
  ...replies,
  ...parts,
}

function inOrder<T extends object>(shapes: T): T {
  const first = published.filter(name => name in shapes)
  return Object.fromEntries([...first, ...Object.keys(shapes)].map(name => [name, shapes[name as keyof T]])) as T
}

const named = {
  ...inOrder(ofAccounts),
  ...model.replies,
  ...model.requests,
  ...model.parts,
}

type SchemaName = keyof typeof named

export interface Reference {
  $ref: string
}

/** A reference to a component of the document. */
export const reference = (kind: 'schemas' | 'responses' | 'headers', name: string): Reference => ({
  $ref: `#/components/${kind}/${name}`,
})

export const ref = (name: SchemaName): Reference => reference('schemas', name)

/** Inlined in place of each reference: such members have descriptions of their own. */
const inlined = new Map(['Name', 'Label', 'PageQuery'].map(name => [reference('schemas', name).$ref, checked[name]]))

const anyOf = (members: readonly string[]): Schema => ({ anyOf: members.map(member => ({ required: [member] })) })
const noneOf = (members: readonly string[]): Schema => ({ not: anyOf(members) })
const all = (members: string[]): Schema => ({ required: members })
/** Each of these members needs others beside it. */
const together = (dependentRequired: Record<string, string[]>): Schema => ({ dependentRequired }) as Schema
const choose = (where: Schema, then: Schema, otherwise: Schema): Schema => ({ if: where, then, else: otherwise })

/** A provider's confirmation, or the token of one, and optionally an address with its password. */
const byProvider: Schema = {
  ...choose(
    all(['provider_token']),
    noneOf(proofMembers.filter(member => member !== 'provider_token')),
    all(['provider', 'authorization_code', 'code_verifier']),
  ),
  ...together({ email: ['password'], password: ['email'] }),
}

/**
 * The members of a body that belong together, where variants differ. As conditions, which client generators ignore:
 * from a choice of shapes most would make another type.
 */
function groupsOf(name: string): Schema {
  if (name === 'ProviderLogin') return byProvider
  const members = Object.keys(name in bodies ? bodies[name as keyof typeof bodies].entries : {})
  const typed = members.filter(member => /^(email|(current_)?password)$/.test(member))
  if (!members.includes('assertion') || typed.length === 0) return {}
  const others: Record<string, Schema> = {
    SecondFactorSetupRequest: together({ code: typed }),
    AuthorizeRequest: choose(anyOf(proofMembers), byProvider, all(typed)),
  }
  const replaced = members.filter(member => [...typed, 'code', ...proofMembers].includes(member))
  return choose(all(['assertion']), noneOf(replaced), others[name] ?? all(typed))
}

/** Open members of answers: later versions may have further values. */
const open: Record<string, string> = { Finding: 'rule' }

/** Every named schema, as components of the document. */
export function componentSchemas(): Record<string, Schema> {
  const written = toJsonSchemaDefs(named, {
    target: 'draft-2020-12',
    typeMode: 'input',
    // Described by `checked`.
    ignoreActions: ['check', 'transform'],
    overrideRef: ({ referenceId }) => reference('schemas', referenceId).$ref,
  })
  return Object.fromEntries(
    Object.entries({ ...written, ...checked })
      .filter(([name]) => !inlined.has(reference('schemas', name).$ref))
      .map(([name, schema]) => {
        const refusesOthers = name in model.requests && schema.additionalProperties === false
        return [
          name,
          { ...explain(name, tidy(schema)), ...groupsOf(name), ...(refusesOthers && { additionalProperties: false }) },
        ]
      }),
  )
}

/** Adds the descriptions of a shape and its members. */
export function explain(name: string, { properties, ...schema }: Schema): Schema {
  const [is, ...own] = meanings[name] ?? []
  const members: Record<string, string> = Object.assign({}, name in bodies && memberMeanings, ...own)
  const explained = Object.entries((properties ?? {}) as Record<string, Schema>).map(([member, of]) => {
    const { enum: values, ...rest } = of
    const opened = open[name] === member ? { ...rest, examples: values } : of
    const format = member.endsWith('password') && { format: 'password' }
    // A reference stands alone: not every tool reads its siblings.
    return [member, '$ref' in of ? of : { ...opened, ...format, description: members[member] }]
  })
  return {
    ...schema,
    ...(is && { description: is }),
    ...(properties && { properties: Object.fromEntries(explained) }),
  }
}

/**
 * Puts a schema into the form that client generators read best. A constant gets its type, and a boolean constant is its
 * type alone. Null is one of several types. A tuple becomes a list of one type, and a choice between a text and a list
 * becomes anything. Defaults are dropped, because generators take them for promises. Objects stay open for later
 * members.
 */
function tidy(schema: Schema): Schema {
  const text = inlined.get(schema.$ref ?? '')
  if (text) return text
  const { $schema: _, default: __, additionalProperties, propertyNames: ___, ...rest } = schema
  const { anyOf = [], ...tidied } = Object.fromEntries(
    Object.entries(rest).map(([key, value]) => [key, key === 'properties' ? tidyAll(value) : tidyPart(value)]),
  ) as Schema
  if (typeof tidied.const === 'boolean') delete tidied.const
  if ('const' in rest && !tidied.type) tidied.type = typeof rest.const as 'string' | 'boolean'
  if (typeof additionalProperties === 'object')
    tidied.additionalProperties = Object.keys(additionalProperties).length === 0 || tidy(additionalProperties)
  if (tidied.required?.length === 0) delete tidied.required
  const { prefixItems: [items] = [], minItems } = tidied
  if (items !== undefined) {
    delete tidied.prefixItems
    Object.assign(tidied, { items, maxItems: minItems })
  }
  if (anyOf.length === 0) return tidied
  const types = (anyOf as Schema[]).map(({ type }) => type)
  if (types.includes('null')) return Object.assign({}, ...anyOf, tidied, { type: types })
  return types.includes('array') ? tidied : { ...tidied, anyOf }
}

const tidyAll = (schemas: unknown) =>
  Object.fromEntries(Object.entries(schemas as Record<string, Schema>).map(([name, schema]) => [name, tidy(schema)]))

function tidyPart(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(tidyPart)
  return typeof value === 'object' && value !== null ? tidy(value as Schema) : value
}
