/** AES-256. */
export const SEAL_KEY_BYTES = 32

/** What GCM is specified for; random, which is safe for 2^32 seals with one key. */
export const SEAL_NONCE_BYTES = 12
export const SEAL_TAG_BYTES = 16

/** 256 bits: nobody guesses one, so that hashing needs no salt and no cost. */
export const TOKEN_BYTES = 32

/** A header has 16 KB for everything. */
export const TOKEN_MAX_CHARS = 512

/** Below it a chosen token can be guessed over the network. */
export const TOKEN_WEAK_CHARS = 16

/** A command that looks whether a gateway runs holds the lock for a moment; a gateway that starts then waits it out. */
export const LOCK_WAIT_MS = 300
