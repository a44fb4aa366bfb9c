import { ApiError } from '../errors/api-error';
import { ServiceUnavailable } from '../errors/service-errors';

/** 409: the state has another version than the one that an update was made for. */
export class StaleVersion extends ApiError {
  constructor(version: number, state: unknown) {
    super(409, 'Conflict', `The state has version ${version}; apply your change to it and send it again.`, {
      fields: { version, state },
    });
  }
}

/** 429: the account's updates have read and written more of states than they may. */
export class StatesTooFast extends ApiError {
  /** @param retryAfterSeconds when the next update is taken */
  constructor(retryAfterSeconds: number) {
    super(429, 'Too many messages', 'Updates of large states come too fast.', {
      fields: { retry_after: retryAfterSeconds },
    });
  }
}

/** 409: the socket is not in the room. */
export class NotInRoom extends ApiError {
  constructor() {
    super(409, 'Conflict', 'Join the room first.');
  }
}

/** 503: so much is done in rooms that a visit has waited too long for its turn. Nothing was done. */
export class RoomsBusy extends ServiceUnavailable {
  constructor() {
    super('Too much is being done in rooms; send this message again.', 1);
  }
}
