/** The method and the route of an operation, in the document's form: `POST`, `/api/keys/{key_id}/revoke`. */
export interface OperationRoute {
  method: string;
  route: string;
}

/** The routes of all operations by their ids. */
export type OperationRoutes = Readonly<Record<string, OperationRoute>>;

/** What events take from the OpenAPI document, which the application hands in. */
export class EventDocument {
  constructor(readonly routes: OperationRoutes) {}
}
