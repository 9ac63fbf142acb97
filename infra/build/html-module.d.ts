/** HTML files, as `htmlPages` loads them. */
declare module '*.html' {
  const page: import('../../shared/base/page-answer.ts').Page
  export default page
}
