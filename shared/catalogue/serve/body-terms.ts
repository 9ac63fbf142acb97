/** Bytes of a body. */
export const largestBody = 64 * 1024

/** What other bodies are refused with. */
export const bodyRefusals = {
  'body-too-large': `The body is larger than ${largestBody / 1024} KiB`,
  'missing-body': 'The request has no body: send a form or a JSON object',
  'unsupported-media-type': 'The body must be a form (application/x-www-form-urlencoded) or JSON (application/json)',
} as const
