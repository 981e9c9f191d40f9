/** The configuration of this moment. */
export interface TrustRules {
  readonly screening: 'off' | 'report' | 'enforce'
  /** `auto` takes every change of the server's tools as it comes. */
  readonly trustOf: (server: string) => 'pin' | 'auto'
}
