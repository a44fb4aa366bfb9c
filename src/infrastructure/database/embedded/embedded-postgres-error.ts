/** The embedded server cannot be started or used; the message tells the operator what to do about it. */
export class EmbeddedPostgresError extends Error {
  override readonly name: string = 'EmbeddedPostgresError';
}

/** Another live service owns the data folder. */
export class DataFolderInUseError extends EmbeddedPostgresError {
  override readonly name = 'DataFolderInUseError';
}
