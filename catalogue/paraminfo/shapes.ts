// The facade's requests and answers, for the OpenAPI document. MediaWiki may have more members.
import * as v from 'valibot'

const NamedTexts = v.record(v.string(), v.string())
const ParaminfoWarnings = v.record(v.string(), NamedTexts)

const ParaminfoParameter = v.objectWithRest(
  {
    index: v.pipe(v.number(), v.integer(), v.minValue(1)),
    name: v.string(),
    type: v.union([v.string(), v.array(v.string())]),
  },
  v.unknown(),
)

const ParaminfoModule = v.objectWithRest(
  {
    name: v.string(),
    classname: v.string(),
    path: v.string(),
    prefix: v.string(),
    helpurls: v.array(v.string()),
    parameters: v.array(ParaminfoParameter),
  },
  v.unknown(),
)

const ParaminfoModules = v.strictObject({
  helpformat: v.literal('none'),
  modules: v.exactOptional(v.array(ParaminfoModule)),
  querymodules: v.exactOptional(v.array(ParaminfoModule)),
})

/** Modules, or an error. `warnings` name the unknown parts of the request. */
export const Paraminfo = v.strictObject({
  error: v.exactOptional(NamedTexts),
  warnings: v.exactOptional(ParaminfoWarnings),
  paraminfo: v.exactOptional(ParaminfoModules),
})

export const ParaminfoRequest = v.object({
  action: v.literal('paraminfo'),
  format: v.exactOptional(v.literal('json')),
  formatversion: v.exactOptional(v.picklist(['1', '2', 'latest'])),
  modules: v.exactOptional(v.string()),
  querymodules: v.exactOptional(v.string()),
  helpformat: v.exactOptional(v.picklist(['none', 'html', 'wikitext', 'raw'])),
})

/** Their parts, by name. */
export const parts = { NamedTexts, ParaminfoWarnings, ParaminfoParameter, ParaminfoModule, ParaminfoModules } as const
