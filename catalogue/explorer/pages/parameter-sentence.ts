// The purposes of parameters, in our own words, once per group of similar ones.
import type { Parameter } from '../../model.ts'
import sentences from '../../words/parameter-sentences.json' with { type: 'json' }

type Family = { names: string; when?: string; beside?: string; except?: string; says: string }

const families: readonly Family[] = sentences.parameters

type Owner = { name: string; parameters: readonly Pick<Parameter, 'name'>[] }

/** A sentence about the parameter's group, or null. */
export function parameterSentence(
  { name, values, deprecated }: Pick<Parameter, 'name' | 'values' | 'deprecated'>,
  owner: Owner | null,
): string | null {
  if (deprecated) return null
  const family = families.find(
    ({ names, when, beside, except }) =>
      names.split(' ').includes(name) &&
      (when === undefined || values?.includes(when)) &&
      (beside === undefined || owner?.parameters.some(other => other.name === beside)) &&
      !(owner && except?.split(' ').includes(owner.name)),
  )
  return family?.says ?? null
}
