/** HTML files, as `htmlPages` loads them. */
declare module '*.html' {
  const page: import('./html-page.ts').Page
  export default page
}
