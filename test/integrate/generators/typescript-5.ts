import { registerHooks } from 'node:module'

// @hey-api/openapi-ts finds TypeScript 7 beside it, which has no API for programs; the one of this workspace has.
registerHooks({
  resolve: (name, context, next) =>
    next(name, name === 'typescript' ? { ...context, parentURL: import.meta.url } : context),
})
