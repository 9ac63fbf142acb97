/**
 * What tracing in a page adds to each of its calls: W3C Trace Context, W3C Baggage, and Sentry's own. A browser makes no
 * call at all with a header that its preflight did not allow (Fetch standard, "CORS-preflight fetch").
 */
const tracing = ['traceparent', 'tracestate', 'baggage', 'sentry-trace']

/**
 * The headers that pages of other origins may send. `*` would not cover Authorization (Fetch standard, "CORS
 * non-wildcard request-header name").
 */
export const allowedHeaders = {
  api: ['authorization', 'content-type', 'if-none-match', ...tracing],
  catalogue: ['if-none-match', ...tracing],
  /** Where a body may be sent. */
  catalogueAsked: ['content-type', 'if-none-match', ...tracing],
}
