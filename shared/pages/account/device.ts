import { nameDevice } from '../../words/device.ts'

/** This device, for lists of sessions and passkeys. */
export const deviceName = (): string => nameDevice(navigator.userAgent)
