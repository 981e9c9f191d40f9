/** Of a body that is refused for its size, so much is still read, so that its sender hears why: a second on a local network. */
export const REFUSED_BODY_MAX_BYTES = 64 * 1024 * 1024

/** Headers that a browser asks for beforehand and is answered about: a client library sends some ten of its own. */
export const PREFLIGHT_HEADERS_MAX = 64
