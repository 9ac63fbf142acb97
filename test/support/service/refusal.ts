import { DomainError } from '../../../shared/base/errors.ts'

/** The refusal that an attempt ends with. */
export const refusalOf = async (attempt: Promise<unknown>): Promise<DomainError> => {
  const error = await attempt.then(
    () => null,
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof DomainError)) throw new Error('nothing was refused')
  return error
}
