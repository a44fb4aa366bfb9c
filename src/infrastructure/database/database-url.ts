/** The connection string of the database. With the embedded server it is known only once that has started. */
export class DatabaseUrl {
  constructor(readonly value: string) {}
}
