import { createHmac, timingSafeEqual } from 'node:crypto'

/** Codes of an authenticator app, by RFC 6238: SHA-1, steps of 30 seconds, six digits, which every app reads. */

/** 160 bits, as long as the hash (RFC 4226 §4, R6). */
export const secretBytes = 20

export const stepSeconds = 30

const digits = 6

/** The time step that a moment lies in (RFC 6238 §4.2). */
export const stepOf = (time: Date): number => Math.floor(time.getTime() / 1000 / stepSeconds)

/** The code of a time step (RFC 4226 §5.3). */
export function codeOf(secret: Uint8Array, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha1', secret).update(counter).digest()
  const offset = mac.readUInt8(mac.length - 1) & 0xf
  const truncated = mac.readUInt32BE(offset) & 0x7fffffff
  return String(truncated % 10 ** digits).padStart(digits, '0')
}

/**
 * Accepted steps relative to the current one: people type slowly, and clocks are off (RFC 6238 §5.2, §6). The current
 * step comes first: if it shares its code with the one before, both are used up.
 */
const window = [0, -1, 1]

/**
 * Finds the time step of a code. If two steps have the same code, it prefers a step that was not used yet.
 *
 * @param code six digits
 * @param lastStep the newest step whose code was used; codes up to it are refused
 * @returns `used` when the code belongs to used steps alone; null when it belongs to no step
 */
export function findStep(secret: Uint8Array, code: string, lastStep: number, now: Date): number | 'used' | null {
  const present = stepOf(now)
  const steps = window
    .map(offset => present + offset)
    .filter(step => step >= 0 && timingSafeEqual(Buffer.from(codeOf(secret, step)), Buffer.from(code)))
  return steps.find(step => step > lastStep) ?? (steps.length > 0 ? 'used' : null)
}

/** The content of an app's QR code (Google Authenticator, "Key Uri Format"). No part of its label may have a colon. */
export function totpUri(issuer: string, email: string, secret: string): string {
  const [product, account] = [issuer.replaceAll(/: ?/g, ' '), email].map(encodeURIComponent)
  return `otpauth://totp/${product}:${account}?secret=${secret}&issuer=${product}`
}
