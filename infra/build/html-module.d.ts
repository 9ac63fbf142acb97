/** What `htmlPages` makes of an HTML file. */
declare module '*.html' {
  const page: import('./html-page.ts').Page
  export default page
}
