import * as v from 'valibot'
import type { IssuedToken } from './accounts/access-token.ts'
import type { Account } from './accounts/account.ts'

/**
 * What the API answers on success: each shape with what makes it. A schema and its type share a name; members stand in
 * the order in which they are answered. The schemas are for tests and tools: bundles carry none of them.
 */

/** An account without its password (specification, section 2). */
export const UserResponse = v.strictObject({
  id: v.string(),
  email: v.string(),
  name: v.nullable(v.string()),
  is_admin: v.boolean(),
  is_verified: v.boolean(),
  /** RFC 3339, UTC. */
  created_at: v.pipe(v.string(), v.isoTimestamp()),
})
export type UserResponse = v.InferOutput<typeof UserResponse>

export const userResponse = ({ id, email, name, isAdmin, isVerified, createdAt }: Profile): UserResponse => ({
  id,
  email,
  name,
  is_admin: isAdmin,
  is_verified: isVerified,
  created_at: createdAt.toISOString(),
})

type Profile = Pick<Account, 'id' | 'email' | 'name' | 'isAdmin' | 'isVerified' | 'createdAt'>

export const Token = v.strictObject({
  access_token: v.string(),
  token_type: v.literal('bearer'),
  /** Seconds. */
  expires_in: v.pipe(v.number(), v.integer(), v.minValue(1)),
})
export type Token = v.InferOutput<typeof Token>

export const tokenResponse = ({ token, lifetimeSeconds }: IssuedToken): Token => ({
  access_token: token,
  token_type: 'bearer',
  expires_in: lifetimeSeconds,
})

export const MessageResponse = v.strictObject({ message: v.string(), success: v.literal(true) })
export type MessageResponse = v.InferOutput<typeof MessageResponse>

export const messageResponse = (message: string): MessageResponse => ({ message, success: true })

/** Shapes by name, for the route table. */
export const replies = { UserResponse, Token, MessageResponse } as const
