// Every rule with its severity, its source and its subject. Its check and its text are in checks/.

/**
 * `error`: the API refuses the query, or ignores part of it. `warning`: it works, but is clamped, deprecated, unsafe in
 * a URL, or depends on the caller's rights. `notice`: redundant.
 */
export const severities = ['error', 'warning', 'notice'] as const
export type Severity = (typeof severities)[number]

/** `catalogue`: stated there. `mediawiki`: known from the API that it describes. `own`: of this service. */
export const bases = ['catalogue', 'mediawiki', 'own'] as const
type Basis = (typeof bases)[number]

/** A rule's subject: a name whatever its value, a name with its value, or by default a value. */
type Subject = 'name' | 'pair' | 'value'

export const rules = {
  'malformed-encoding': ['error', 'own', 'pair'],
  'duplicate-name': ['error', 'mediawiki', 'pair'],
  'not-a-query': ['error', 'mediawiki'],
  'unread-code': ['error', 'own'],
  'cut-fragment': ['warning', 'own', 'pair'],
  'no-module': ['warning', 'own'],
  'unknown-module': ['error', 'catalogue'],
  'wrong-group': ['error', 'catalogue'],
  'extension-module': ['warning', 'mediawiki'],
  'generator-not-supported': ['error', 'catalogue'],
  'generator-not-single': ['error', 'mediawiki'],
  'module-deprecated': ['warning', 'catalogue'],
  'module-repeated': ['notice', 'mediawiki'],
  'no-page-set': ['warning', 'mediawiki'],
  'page-set-conflict': ['error', 'mediawiki', 'pair'],
  'unread-page-set': ['warning', 'mediawiki', 'pair'],
  'impossible-title': ['warning', 'mediawiki'],
  'generator-prefix-missing': ['error', 'mediawiki', 'name'],
  'generator-prefix-unused': ['error', 'mediawiki', 'name'],
  'wrong-prefix': ['error', 'mediawiki', 'name'],
  'module-not-requested': ['error', 'mediawiki', 'name'],
  'missing-prefix': ['error', 'mediawiki', 'name'],
  'name-case': ['error', 'mediawiki', 'name'],
  'extension-parameter': ['warning', 'mediawiki', 'name'],
  'unknown-parameter': ['error', 'mediawiki', 'name'],
  'required-missing': ['error', 'catalogue', 'name'],
  'bad-integer': ['error', 'catalogue'],
  'limit-range': ['warning', 'catalogue'],
  'needs-high-limit': ['warning', 'catalogue'],
  'bad-value': ['error', 'catalogue'],
  'unrecognized-value': ['error', 'catalogue'],
  'wrong-separator': ['error', 'mediawiki'],
  'not-multi': ['error', 'catalogue'],
  'too-many-values': ['error', 'catalogue'],
  'all-selector': ['error', 'catalogue'],
  'duplicate-value': ['notice', 'mediawiki'],
  'bad-namespace': ['error', 'catalogue'],
  'user-subtype': ['error', 'catalogue'],
  'bad-timestamp': ['error', 'mediawiki'],
  'unlikely-timestamp': ['warning', 'own'],
  'unlikely-name': ['warning', 'own'],
  'reversed-range': ['warning', 'own', 'pair'],
  'missing-namespace': ['error', 'mediawiki'],
  'looks-false': ['warning', 'mediawiki'],
  'deprecated-parameter': ['warning', 'catalogue', 'name'],
  'deprecated-value': ['warning', 'catalogue'],
  'sensitive-in-url': ['warning', 'catalogue', 'name'],
  'equals-default': ['notice', 'catalogue'],
  condition: ['error', 'mediawiki', 'pair'],
  excludes: ['error', 'mediawiki', 'pair'],
  needs: ['error', 'mediawiki', 'pair'],
} as const satisfies Record<string, readonly [Severity, Basis, Subject?]>

export type RuleName = keyof typeof rules

export const severityOf = (rule: RuleName): Severity => rules[rule][0]

export const subjectOf = (rule: RuleName): Subject =>
  (rules[rule] as readonly [Severity, Basis, Subject?])[2] ?? 'value'
