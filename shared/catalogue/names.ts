/** The groups of modules, in the specification's order. */
export const groupNames = ['list', 'prop', 'meta'] as const

/** The types of parameters, in the specification's order. */
export const typeNames = ['str', 'int', 'bool', 'ts', 'title', 'ns', 'user', 'limit', 'enum'] as const

export type GroupName = (typeof groupNames)[number]
export type TypeName = (typeof typeNames)[number]
