// Every rule with its severity and its source.

/**
 * `error`: the API refuses the query, or ignores something that was written. `warning`: it works, but is clamped,
 * deprecated, unsafe in a URL, or depends on the caller's rights. `notice`: redundant.
 */
export const severities = ['error', 'warning', 'notice'] as const
export type Severity = (typeof severities)[number]

/** `catalogue`: stated there. `mediawiki`: known from the API that it describes. `own`: of this service. */
export const bases = ['catalogue', 'mediawiki', 'own'] as const
type Basis = (typeof bases)[number]

export const rules = {
  'malformed-encoding': ['error', 'own'],
  'duplicate-name': ['error', 'mediawiki'],
  'not-a-query': ['error', 'mediawiki'],
  'no-module': ['warning', 'own'],
  'unknown-module': ['error', 'catalogue'],
  'wrong-group': ['error', 'catalogue'],
  'generator-not-supported': ['error', 'catalogue'],
  'generator-not-single': ['error', 'mediawiki'],
  'module-deprecated': ['warning', 'catalogue'],
  'module-repeated': ['notice', 'mediawiki'],
  'no-page-set': ['warning', 'mediawiki'],
  'page-set-conflict': ['error', 'mediawiki'],
  'generator-prefix-missing': ['error', 'mediawiki'],
  'generator-prefix-unused': ['error', 'mediawiki'],
  'wrong-prefix': ['error', 'mediawiki'],
  'module-not-requested': ['error', 'mediawiki'],
  'missing-prefix': ['error', 'mediawiki'],
  'name-case': ['error', 'mediawiki'],
  'unknown-parameter': ['error', 'mediawiki'],
  'required-missing': ['error', 'catalogue'],
  'bad-integer': ['error', 'catalogue'],
  'limit-range': ['warning', 'catalogue'],
  'needs-high-limit': ['warning', 'catalogue'],
  'bad-value': ['error', 'catalogue'],
  'unrecognized-value': ['error', 'catalogue'],
  'not-multi': ['error', 'catalogue'],
  'too-many-values': ['error', 'catalogue'],
  'all-selector': ['error', 'catalogue'],
  'duplicate-value': ['notice', 'mediawiki'],
  'bad-namespace': ['error', 'catalogue'],
  'user-subtype': ['error', 'catalogue'],
  'bad-timestamp': ['error', 'mediawiki'],
  'looks-false': ['warning', 'mediawiki'],
  'deprecated-parameter': ['warning', 'catalogue'],
  'deprecated-value': ['warning', 'catalogue'],
  'sensitive-in-url': ['warning', 'catalogue'],
  'equals-default': ['notice', 'catalogue'],
  condition: ['error', 'mediawiki'],
  excludes: ['error', 'mediawiki'],
  needs: ['error', 'mediawiki'],
} as const satisfies Record<string, readonly [Severity, Basis]>

export type RuleName = keyof typeof rules

export const severityOf = (rule: RuleName): Severity => rules[rule][0]
