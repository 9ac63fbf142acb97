// One of the catalogue's paths of each kind, for common rules.

export const everyPath = [
  '/catalogue',
  '/catalogue/modules',
  '/catalogue/modules/query+allpages',
  '/catalogue/modules/query+allpages/parameters',
  '/catalogue/modules/query+allpages/parameters/namespace',
  '/catalogue/groups',
  '/catalogue/types',
  '/catalogue/sets',
  '/catalogue/sets/REVPROP',
  '/catalogue/export/catalogue.json',
  '/catalogue/modules/query+allpages/schema',
  '/catalogue/export/query-modules.schema.json',
  '/catalogue/export/query-modules.d.ts',
]
