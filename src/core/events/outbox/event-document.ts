import type { EventType } from './event-types';

/** The `data` of an example of each type of events. */
export type EventExamples = Readonly<Record<EventType, Readonly<Record<string, unknown>>>>;

/** The method and the route of an operation, in the document's form: `POST`, `/api/keys/{key_id}/revoke`. */
export interface OperationRoute {
  method: string;
  route: string;
}

/** The routes of all operations by their ids. */
export type OperationRoutes = Readonly<Record<string, OperationRoute>>;

/** What events take from the OpenAPI document, which the application hands in. */
export class EventDocument {
  constructor(
    readonly examples: EventExamples,
    readonly routes: OperationRoutes,
  ) {}
}
