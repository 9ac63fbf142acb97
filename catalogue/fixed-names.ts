/** The first parts of paths under `/catalogue/`. Any other first part is a module's name, so no module may have these names. */
export const sectionNames = ['modules', 'groups', 'types', 'sets', 'export', 'explore'] as const

/** The prefix of a module's name: `query+`. A form decoder makes the plus a space; one decoding too few leaves `%2B`. */
export const addressed = /^query(?:\+| |%2[Bb]|%20)/

/** The groups of modules, in the specification's order. */
export const groupNames = ['list', 'prop', 'meta'] as const

/** The types of parameters, in the specification's order. */
export const typeNames = ['str', 'int', 'bool', 'ts', 'title', 'ns', 'user', 'limit', 'enum'] as const

export type GroupName = (typeof groupNames)[number]
export type TypeName = (typeof typeNames)[number]
