import { claims } from '../../shared/accounts/tokens/claims.ts'
import { code, table } from './table.ts'

export const claimTable = (): string =>
  table(
    ['Claim', 'What it is', 'What to trust it for'],
    Object.entries(claims).map(([name, [what, trust]]) => [code(name), what, trust]),
  )
