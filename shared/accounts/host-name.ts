/**
 * A host name in lower case: at least two labels, each of 1 to 63 letters, digits and inner hyphens (RFC 1035 §2.3.1,
 * RFC 1123 §2.1).
 */
export const hostName = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/
