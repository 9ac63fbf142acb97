declare module 'compact-catalogue' {
  const catalogue: import('../../shared/catalogue/validate/compact.ts').CompactCatalogue
  export default catalogue
}
