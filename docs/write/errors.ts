import { advice, type ErrorCode, refusals } from '../../shared/base/errors.ts'
import { code, table } from './table.ts'

export const errorTable = (): string =>
  table(
    ['Code', 'Status', 'Text', 'What to do'],
    (Object.keys(refusals) as ErrorCode[]).map(name => {
      const [status, text] = refusals[name]
      return [code(name), String(status), text, advice[name]]
    }),
  )
