import { type ProofMember, proofMembers } from '../../accounts/identity/shapes.ts'
import { Assertion, NewCredential } from '../../accounts/passkey/shapes.ts'
import { writeAnswers, writeLists } from '../../catalogue/build/answers.ts'
import { compactCatalogue } from '../../catalogue/build/compact.ts'
import { requestExamples, rpcExamples, variableExamples } from '../../catalogue/meanings.ts'
import type { Catalogue } from '../../catalogue/model.ts'
import { openFacade } from '../../catalogue/paraminfo/facade.ts'
import { describeAll } from '../../catalogue/paraminfo/parents.ts'
import { openValidator } from '../../catalogue/validate/validate.ts'
import { bodies } from '../bodies.ts'
import { catalogueLinks } from '../catalogue-links.ts'
import { discoveryResponse } from '../make-replies.ts'
import { replyExamples } from '../replies.ts'
import { memberExamples } from './meanings.ts'
import type { Operation } from './operations.ts'

/** Left out by people without a second factor. */
const ofFactors = ['code', 'mail_token']

/** Sent only on the way to an application. */
const ofApplications = 'client_id'

/** A body that the API accepts, except for a mailed token and a provider's code: of somebody with a password alone, if possible. */
export const bodyExample = (name: keyof typeof bodies): Record<string, unknown> =>
  Object.fromEntries(
    Object.keys(bodies[name].entries)
      .filter(member => member !== ofApplications && (name.includes('SecondFactor') || !ofFactors.includes(member)))
      .filter(
        (member, _, all) => !proofMembers.includes(member as ProofMember) || (isOfProvider(all) && isOfCode(member)),
      )
      .filter((member, _, all) => !isOfProvider(all) || !['email', 'password'].includes(member))
      .filter((member, _, all) => member !== 'assertion' || !all.some(each => /^(current_)?password$/.test(each)))
      .map(member => [member, memberExamples[member as keyof typeof memberExamples]]),
  )

/** Whether a body consists of a provider's confirmation. */
const isOfProvider = (all: readonly string[]): boolean => all[0] === 'provider'

const isOfCode = (member: string): boolean => ['provider', 'authorization_code', 'code_verifier'].includes(member)

const ofAuthenticators: readonly unknown[] = [Assertion, NewCredential]

/** Whether a body needs a member that an authenticator makes anew each time, so that nobody can type one. */
export const isOfAuthenticator = (name: keyof typeof bodies): boolean =>
  Object.values(bodies[name].entries).some(schema => ofAuthenticators.includes(schema))

/** Examples of shapes that the catalogue does not provide itself. */
const ofShapes: Record<string, unknown> = {
  ...replyExamples,
  RpcAnswer: rpcExamples.answer,
  Discovery: discoveryResponse({
    config: {
      browserUrl: null,
      hasClients: true,
      issuer: 'https://api.example.com/auth',
      languages: ['en', 'de'],
      sessionDays: 30,
    },
  }),
}

/** An example of an operation's success; for the catalogue the real answer, with long lists cut. */
export function examplesOf(catalogue: Catalogue): (operation: Operation) => unknown {
  const answers = writeAnswers(catalogue, catalogueLinks)
  const [wholeList] = writeLists(catalogue).values()
  return ({ shape, path, message, row }) => {
    if (message !== undefined) return { message, success: true }
    if (shape === 'Report') {
      return openValidator(compactCatalogue(catalogue))(requestExamples.ValidationRequest.query ?? '', 'any').report
    }
    if (shape === 'Paraminfo') {
      const fields = new Map(Object.entries(requestExamples.ParaminfoRequest))
      return JSON.parse(openFacade(describeAll(catalogue))(fields).text)
    }
    if (shape in ofShapes) return ofShapes[shape]
    const key = path
      .replace(/^\/catalogue\/?/, '')
      .replace(/^query\+/, 'modules/query+')
      .replaceAll(/\{(\w+)\}/g, (_, variable) => variableExamples[variable] ?? '')
    if (shape === 'TypeScript') return undefined
    const answer = JSON.parse((row.query === 'filters' ? wholeList : answers.get(key))?.text ?? 'null')
    return shape === 'JsonSchema' ? headOf(answer) : abridge(answer)
  }
}

/** A schema without its parts. */
const headOf = (schema: object) =>
  Object.fromEntries(Object.entries(schema).filter(([, member]) => typeof member === 'string'))

/** The longest list in an example. */
const itemsShown = 2

function abridge(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, itemsShown).map(abridge)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, abridge(member)]))
}
