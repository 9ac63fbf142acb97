/**
 * Headers that tracing in a page adds to each call: W3C Trace Context, W3C Baggage, and Sentry's. A browser blocks a call
 * with a header that the preflight does not allow (Fetch standard, "CORS-preflight fetch").
 */
const tracing = ['traceparent', 'tracestate', 'baggage', 'sentry-trace']

/**
 * The headers that pages of other origins may send. `*` would not cover Authorization (Fetch standard, "CORS
 * non-wildcard request-header name").
 */
export const allowedHeaders = {
  api: ['authorization', 'content-type', 'if-none-match', ...tracing],
  catalogue: ['if-none-match', ...tracing],
  /** For the catalogue's paths that take a query, in a query string or in a body. */
  catalogueQueries: ['content-type', 'if-none-match', ...tracing],
}
