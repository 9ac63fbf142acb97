import * as v from 'valibot'
import { Label, objectOf, Text } from '../../shared/base/shapes.ts'
import { proven } from '../passkey/shapes.ts'
import { GivenPassword } from '../password/password.ts'

export const SessionRequest = objectOf({ label: v.optional(v.nullable(Label), null) })

export const EndSessionRequest = proven({ id: Text }, { password: GivenPassword })
export type EndSessionRequest = v.InferOutput<typeof EndSessionRequest>
