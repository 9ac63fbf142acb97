import * as v from 'valibot'
import { chosen, has } from '../../shared/base/shapes.ts'
import { isAsserted, proven } from '../passkey/shapes.ts'
import { GivenPassword } from '../password/password.ts'

export const SecondFactorRequest = proven({}, { password: GivenPassword })
export type SecondFactorRequest = v.InferOutput<typeof SecondFactorRequest>

/** A proof of the owner of an account who is logged in. */
export type Proof = v.InferOutput<typeof SecondFactorRequest>

/** Whoever has come by a provider where everybody needs a second factor sends nothing: there may be no password. */
export const SecondFactorSetupRequest = chosen<
  SecondFactorRequest | { [M in keyof SecondFactorRequest]?: undefined },
  typeof SecondFactorRequest.entries
>(SecondFactorRequest.entries, value =>
  isAsserted(value) || has(value, 'password') || has(value, 'code') ? SecondFactorRequest : v.object({}),
)
export type SecondFactorSetupRequest = v.InferOutput<typeof SecondFactorSetupRequest>
