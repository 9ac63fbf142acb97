import { type Figure, medianOf } from '../measure/figures.ts'
import { emptyHandler, firstCall } from '../measure/first-call.ts'
import { fileOf, request } from './handlers.ts'

export const coldStarts = 41

/** CPU from the start of a process to its first answer, over that of a handler that does nothing; measured in turns. */
export async function measureColdStart(): Promise<Figure[]> {
  const event = request('/catalogue/modules/query+allpages')
  const handlers = [emptyHandler(), fileOf('catalogue'), fileOf('openapi')]
  const times = handlers.map((): number[] => [])
  for (let count = 0; count < coldStarts; count++) {
    for (const [i, file] of handlers.entries()) {
      const { cpu, status } = await firstCall(file, event)
      if (status !== 200) throw new Error(`${file} answers ${JSON.stringify(status)}`)
      times[i]?.push(cpu)
    }
  }
  const [empty = Number.NaN, catalogue = Number.NaN, openapi = Number.NaN] = times.map(medianOf)
  return [
    { what: 'empty handler, cold', figure: empty, unit: 'ms' },
    { what: 'catalogue, cold', figure: catalogue, unit: 'ms' },
    { what: 'openapi, cold', figure: openapi, unit: 'ms' },
    { what: 'cold start', figure: catalogue / empty, unit: 'x an empty handler', target: 1.15 },
    { what: 'of openapi', figure: openapi / empty, unit: 'x an empty handler', target: 1.15 },
  ]
}
