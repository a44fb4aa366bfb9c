/** Where the database is, once it is known: in embedded mode only after it was started. */
export class DatabaseUrl {
  constructor(readonly value: string) {}
}
