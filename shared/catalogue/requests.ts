import { ParaminfoRequest } from './paraminfo/shapes.ts'
import { ValidationRequest } from './report.ts'

/** What the paths that are asked take, by name, for their table (`paths.ts`). */
export const requests = { ValidationRequest, ParaminfoRequest } as const
