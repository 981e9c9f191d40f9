/** ` (<code>)`, and what to do about it where the code says that much. */
export function connectWords(code: string): string {
  const way = WAYS.find(({ codes }) => codes.test(code))?.way
  return ` (${code})${way === undefined ? '' : `; ${way}`}`
}

/** Of OpenSSL by way of Node, of the resolver, and of the socket. */
const WAYS: readonly { readonly codes: RegExp; readonly way: string }[] = [
  {
    codes: /SELF_SIGNED|UNABLE_TO_(?:GET_ISSUER|VERIFY)|CERT_(?:UNTRUSTED|SIGNATURE)/,
    way: 'where its certificate is of an authority of your own, start the gateway with NODE_EXTRA_CA_CERTS set to that authority',
  },
  { codes: /ALTNAME|HOSTNAME_MISMATCH/, way: 'its certificate is of another host than its url names' },
  { codes: /^CERT_|EXPIRED/, way: 'its certificate is not valid' },
  { codes: /WRONG_VERSION_NUMBER|^EPROTO$/, way: 'it may not speak TLS there; is its url one of http?' },
  { codes: /^(?:ENOTFOUND|EAI_AGAIN)$/, way: 'its host is not known here; check its url, and the network' },
  {
    codes: /^(?:ECONNRESET|UND_ERR_SOCKET|EPIPE)$/,
    way: 'it may want https in place of http, or have failed; look at its log',
  },
]
