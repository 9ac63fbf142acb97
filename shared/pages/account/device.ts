import { nameDevice, sayDevice } from '../../words/device.ts'
import { withoutBreaks } from '../../words/fill.ts'
import { type Phrase, texts } from '../words.ts'

/** This device, for lists of sessions and passkeys. */
export const deviceName = (): string => nameDevice(navigator.userAgent)

/** A name of a session or passkey, in the page's language where it is a device's. */
export const nameOf =
  (label: string): Phrase =>
  () =>
    withoutBreaks(sayDevice(label, texts.device()))
