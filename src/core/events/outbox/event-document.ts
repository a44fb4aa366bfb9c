/** What the document says of events, handed in by the application: core knows no document. */
export class EventDocument {
  /** @param routes the method and the route of each operation, by operationId */
  constructor(readonly routes: ReadonlyMap<string, { method: string; route: string }>) {}
}
