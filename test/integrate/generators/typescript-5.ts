import { registerHooks } from 'node:module'

// @hey-api/openapi-ts finds TypeScript 7, which has no API for programs; this workspace's version has one.
registerHooks({
  resolve: (name, context, next) =>
    next(name, name === 'typescript' ? { ...context, parentURL: import.meta.url } : context),
})
