// Writes the validator's compact catalogue.
import type { Catalogue, Parameter } from '../model.ts'
import { type CompactCatalogue, type CompactParameter, impliedFacts } from '../validate/compact.ts'

/** Drops facts that no check needs, and writes shared values once. */
export function compactCatalogue({
  catalogue_version,
  multi_valued,
  types,
  sets,
  modules,
}: Catalogue): CompactCatalogue {
  const limit = types.find(({ name }) => name === 'limit')
  const shared = new Set(modules.flatMap(({ parameters }) => parameters.flatMap(({ values_set }) => values_set ?? [])))
  return {
    version: catalogue_version,
    values: { normal: multi_valued.value_limit, high: multi_valued.value_high_limit },
    limit: { min: limit?.min ?? 0, normal: limit?.max ?? 0, high: limit?.highmax ?? 0 },
    sets: Object.fromEntries(sets.flatMap(({ name, values }) => (values && shared.has(name) ? [[name, values]] : []))),
    modules: modules.map(({ name, group, prefix, generator, deprecated, parameters, relations }) => ({
      name,
      group,
      prefix,
      ...(generator && { generator }),
      ...(deprecated && { deprecated }),
      parameters: parameters.map(compactParameter),
      ...(relations && { relations }),
    })),
  }
}

function compactParameter({ values, ...parameter }: Parameter): CompactParameter {
  const kept = Object.entries(parameter).filter(([name]) => !impliedFacts.some(fact => fact === name))
  return { ...Object.fromEntries(kept), ...(values && { values: parameter.values_set ?? values }) } as CompactParameter
}
