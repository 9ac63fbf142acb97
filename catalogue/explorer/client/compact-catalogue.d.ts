declare module 'compact-catalogue' {
  const catalogue: import('../../validate/compact.ts').CompactCatalogue
  export default catalogue
}
