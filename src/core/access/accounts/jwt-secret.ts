/** The key that signs account tokens, at least 32 bytes. */
export class JwtSecret {
  constructor(readonly value: string) {}
}
