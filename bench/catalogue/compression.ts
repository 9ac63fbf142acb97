import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { cpuOf, medianOf, rounded } from '../measure/figures.ts'

const qualities = { brotli: [4, 5, 6, 7, 8, 9, 11], gzip: [1, 4, 5, 6, 9] }
const rounds = 41

/** Bytes and CPU of each level of compression, measured in turns. */
export async function compareLevels(json: string): Promise<string[][]> {
  const brotli = (quality: number) =>
    brotliCompressSync(json, {
      params: { [constants.BROTLI_PARAM_QUALITY]: quality, [constants.BROTLI_PARAM_SIZE_HINT]: json.length },
    }).length
  const gzip = (level: number) => gzipSync(json, { level }).length
  const levels = [
    ...qualities.brotli.map(quality => ({ name: `brotli ${quality}`, compress: () => brotli(quality) })),
    ...qualities.gzip.map(level => ({ name: `gzip ${level}`, compress: () => gzip(level) })),
  ].map(level => ({ ...level, costs: [] as number[] }))
  for (let round = 0; round < rounds; round++) {
    for (const { compress, costs } of levels) costs.push(await cpuOf(compress))
  }
  const smallest = brotli(11)
  return levels.map(({ name, compress, costs }) => {
    const bytes = compress()
    return [name, `${bytes} B`, `${rounded(bytes / smallest)} x`, `${rounded(medianOf(costs))} ms`]
  })
}
