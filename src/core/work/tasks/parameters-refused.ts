import { ApiError } from '../../errors/api-error';
import type { ValidationDetail } from '../../errors/request-errors';

/** 422: the parameters of a task are a body that its operation would refuse. */
export class ParametersRefused extends ApiError {
  /** @param details as the operation would tell them; here their paths begin with `parameters` */
  constructor(details: readonly ValidationDetail[]) {
    const ofTask = details.map(({ field, message }) => ({
      field: field === 'body' ? 'parameters' : `parameters.${field}`,
      message,
    }));
    const text = ofTask.map(({ field, message }) => `${field}: ${message}`).join('; ');
    super(422, 'Unprocessable', text, { fields: { details: ofTask } });
  }
}
