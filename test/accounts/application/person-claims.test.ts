import { expect, test } from 'vitest'
import { scopes } from '../../../accounts/application/authorization-request.ts'
import { personClaims } from '../../../accounts/application/person-claims.ts'

const account = {
  ...{ id: '7', email: 'ada@example.com', isVerified: true, name: 'Ada' },
  ...{ language: 'de', roles: ['editor'] },
} as Parameters<typeof personClaims>[1]

/** Each choice of scopes. */
const choices = scopes.reduce<string[][]>((all, scope) => all.flatMap(some => [some, [...some, scope]]), [[]])

test.each(choices)('what is granted by %s is in the claims, and no more', (...scope) => {
  const has = (...names: string[]) => names.every(name => scope.includes(name))
  const said = personClaims({ config: { languages: ['en', 'de'] } }, account, scope)
  const { email, name } = account
  expect(said).toEqual({
    sub: '7',
    ...(has('email') && { email, email_verified: true }),
    ...(has('profile') && { name, locale: 'de' }),
    ...(has('email', 'profile') && { preferred_username: email }),
    ...(has('roles') && { roles: ['editor'] }),
  })
})
