// The facade's requests and answers, for the OpenAPI document. MediaWiki itself may have more members.
import * as v from 'valibot'

const Texts = v.record(v.string(), v.string())

const ModuleInfo = v.objectWithRest(
  {
    name: v.string(),
    classname: v.string(),
    path: v.string(),
    prefix: v.string(),
    helpurls: v.array(v.string()),
    parameters: v.array(
      v.objectWithRest(
        {
          index: v.pipe(v.number(), v.integer(), v.minValue(1)),
          name: v.string(),
          type: v.union([v.string(), v.array(v.string())]),
        },
        v.unknown(),
      ),
    ),
  },
  v.unknown(),
)

/** Modules, or an error. `warnings` name the unknown parts of the request. */
export const Paraminfo = v.strictObject({
  error: v.exactOptional(Texts),
  warnings: v.exactOptional(v.record(v.string(), Texts)),
  paraminfo: v.exactOptional(
    v.strictObject({
      helpformat: v.literal('none'),
      modules: v.exactOptional(v.array(ModuleInfo)),
      querymodules: v.exactOptional(v.array(ModuleInfo)),
    }),
  ),
})

export const ParaminfoRequest = v.object({
  action: v.literal('paraminfo'),
  format: v.exactOptional(v.literal('json')),
  formatversion: v.exactOptional(v.picklist(['1', '2', 'latest'])),
  modules: v.exactOptional(v.string()),
  querymodules: v.exactOptional(v.string()),
  helpformat: v.exactOptional(v.picklist(['none', 'html', 'wikitext', 'raw'])),
})
